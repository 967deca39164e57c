import { type InfiniteData, useIsFetching, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { GamesAnswer } from '#contract/wire/games.ts';
import { KEYS } from '../api/queries.ts';
import { useLocation } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { useHasNews } from '../session/news.ts';
import { useGames, useLeagueStats, useWonAchievements } from '../session/reads.ts';
import { seeAchievement } from '../session/seen.ts';
import { hasTeam, teamName } from '../session/team.ts';
import { ownTask } from '../ui/own-task.ts';
import { firstMark, freshGames, untilNext } from './fresh.ts';
import { buzz, onMark, readMark, writeMark } from './mark.ts';
import type { Reads, ShownSlip } from './slip.ts';

/** A slip of a game that landed longer ago is not live: the phone slept meanwhile. */
const LIVE_MS = 60_000;

/** How long a slip waits for its reads. A second read of the stats has as long again (HAND-03). */
const LATEST_MS = 2_000;

/** The reads that a slip is made from. */
const READ = [KEYS.profile, KEYS.games, KEYS.leagueStats, KEYS.userAchievements].map(
  ([key]) => key,
);

type Parts = typeof import('./parts.ts');
let loading: Promise<Parts> | undefined;

/** The slip's own script. After a failure, the next call loads it again. */
function loadParts(): Promise<Parts> {
  loading ??= import('./parts.ts').catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

type SlipState = {
  slip: (ShownSlip & { parts: Parts }) | null;
  /** Whether the first games that this visit read have been checked for fresh ones. */
  looked: boolean;
  putAway: () => void;
};

const NO_SLIP: SlipState = { slip: null, looked: false, putAway: () => undefined };
const SlipContext = createContext(NO_SLIP);

export const useSlip = () => use(SlipContext);

/**
 * When the running reads began, or the event came that will begin them (ms since 1970); null when
 * all have answered.
 */
function useFetchingSince(): number | null {
  const reads = useIsFetching({
    predicate: ({ queryKey }) => READ.some((key) => key === queryKey[0]),
  });
  const hasNews = useHasNews();
  const fetching = reads > 0 || hasNews;
  const [since, setSince] = useState<number | null>(null);
  if (fetching !== (since !== null)) setSince(fetching ? Date.now() : null);
  return since;
}

/** The answers of the last reads, without those that failed or are still running (HAND-03). */
function useReads(): { reads: { current: Reads | null }; readsGames: boolean } {
  const { user } = useAuth();
  const games = useGames();
  const stats = useLeagueStats(user !== null && hasTeam(user.team));
  const { all, won } = useWonAchievements();
  const first = games.data?.pages[0];
  const reads = useRef<Reads | null>(null);
  reads.current =
    first === undefined || user === null
      ? null
      : {
          games: first,
          stats: stats.isFetching || stats.isError ? null : (stats.data ?? null),
          team: hasTeam(user.team) ? teamName(user.team?.name) : null,
          username: user.username,
          won: won ?? [],
          achievements: all ?? [],
        };
  return { reads, readsGames: games.isFetching };
}

type Pages = InfiniteData<GamesAnswer, string | null>;

const firstPage = (pages: Pages | undefined): Pages | undefined =>
  pages && { pages: pages.pages.slice(0, 1), pageParams: pages.pageParams.slice(0, 1) };

/** Makes the slip of the games that landed, and announces it once (HAND-01 to HAND-06, HAND-21). */
export function SlipProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const { reads, readsGames } = useReads();
  const fetchingSince = useFetchingSince();
  const [slip, setSlip] = useState<SlipState['slip']>(null);
  const shown = useRef<SlipState['slip']>(null);
  shown.current = slip;
  const [looked, setLooked] = useState(false);
  /** The games for which the stats were read again. */
  const readAgainFor = useRef<Reads['games'] | null>(null);

  const games = reads.current?.games;
  // Load the script once the games are read, so that no slip waits for it.
  const loaded = games !== undefined;
  useEffect(() => {
    if (loaded)
      ownTask()
        .then(loadParts)
        .catch(() => undefined);
  }, [loaded]);
  useEffect(() => {
    if (games === undefined) return;
    if (readMark() === null) writeMark(firstMark(games));
    const mark = readMark() ?? firstMark(games);
    const has = ({ id, landed_at }: GamesAnswer['results'][number]) =>
      shown.current?.games.some((game) => game.id === id && game.landed_at === landed_at) ?? false;
    const isNew = freshGames(games, mark).fresh.some((game) => !has(game));
    if (!isNew) {
      if (!readsGames) setLooked(true);
      return;
    }
    let stopped = false;
    let stop: (() => void) | undefined;
    const make = (parts: Parts) => {
      stop = parts.whenQuiet(() => {
        const now = reads.current;
        if (now === null) return;
        const isStale = parts.isWeekStale(now);
        // If a game landed after the stats were read, but before the games were, read the stats
        // again, once. The achievements may be as old.
        if (isStale && fetchingSince === null && readAgainFor.current !== now.games) {
          readAgainFor.current = now.games;
          for (const queryKey of [KEYS.leagueStats, KEYS.userAchievements])
            void client.invalidateQueries({ queryKey });
          return;
        }
        // There is no time left to read them again.
        const stats = isStale && fetchingSince !== null ? null : now.stats;
        const made = parts.makeSlip({ ...now, stats }, readMark() ?? mark);
        if (made === null) return;
        const age = Date.parse(now.games.read_at) - Date.parse(made.newest);
        const live = looked && age < LIVE_MS;
        setSlip({ ...made, live, madeAt: Date.now(), parts });
        setLooked(true);
        if (live) buzz(parts.bestOfSlip(made) === null ? 40 : [40, 80, 40]);
      });
    };
    const waits =
      fetchingSince === null ? 0 : Math.max(0, LATEST_MS - (Date.now() - fetchingSince));
    const timer = setTimeout(() => {
      loadParts().then(
        (parts) => stopped || make(parts),
        // Without a signal, the next read of the games loads the script again.
        () => undefined,
      );
    }, waits);
    return () => {
      stopped = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [client, games, fetchingSince, looked, reads, readsGames]);

  // A refetch reads all pages, one after another. The slip needs the first, the games' room all.
  const hasNews = useHasNews();
  const inGames = useLocation().path === '/games';
  useEffect(() => {
    // Not by `setQueryData`, which would call the pages fresh.
    const query = client.getQueryCache().find<Pages>({ queryKey: KEYS.games });
    if (hasNews && !inGames) query?.setState({ data: firstPage(query.state.data) });
  }, [client, hasNews, inGames]);

  // Read again when a game lands that staff have just counted: they may have undone it (OPS-17).
  const next = games && untilNext(games);
  useEffect(() => {
    if (next === undefined) return;
    const read = () => void client.invalidateQueries({ queryKey: KEYS.games });
    const timer = setTimeout(read, next);
    return () => clearTimeout(timer);
  }, [client, next]);

  // Another tab has put the slip away (HAND-05).
  useEffect(
    () =>
      onMark(() => {
        const mark = readMark();
        setSlip((now) => (now !== null && mark !== null && mark >= now.newest ? null : now));
      }),
    [],
  );

  const putAway = useCallback(() => {
    const now = shown.current;
    if (now === null) return;
    writeMark(now.newest);
    for (const { key } of now.won) seeAchievement(key);
    setSlip(null);
  }, []);

  const state = useMemo(() => ({ slip, looked, putAway }), [slip, looked, putAway]);
  return (
    <SlipContext value={state}>
      {children}
      <p className="sr" role="status">
        {slip?.parts.announcement(slip)}
      </p>
    </SlipContext>
  );
}
