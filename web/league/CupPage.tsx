import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ONLY_THIRD_IS_OPEN, onlyThirdIsOpen, pairingName } from '#contract/rules/cups.ts';
import { inFull, ordinal } from '#contract/rules/games.ts';
import { idInPath } from '#contract/rules/pages.ts';
import type { CupPairing, CupRound, CupSide, CupPage as Page } from '#contract/wire/cups.ts';
import { getCup, leaveCup } from '../api/calls.ts';
import { ApiError } from '../api/client.ts';
import { KEYS } from '../api/queries.ts';
import { untilNext } from '../api/query-client.ts';
import { useLocation } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { Failure } from '../shell/Failure.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { ShowMyCode } from '../shell/ToProfile.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { useDelayed } from '../ui/delayed.ts';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Empty, PanelPage } from '../ui/PanelPage.tsx';
import { Segments } from '../ui/Segments.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import styles from './CupPage.module.css';
import {
  countsText,
  firstRound,
  gainTarget,
  hasSums,
  isRunning,
  openText,
  ownPairing,
  pairingText,
  sideName,
  timeText,
  withoutGames,
} from './cup.ts';
import league from './League.module.css';

const NOT_FOUND = 404;
const THIRD = 'Third place';
/** Polls, because the other side's games and the clock change the page without an event. */
const REFRESH_MS = 15_000;

function useCup(id: string) {
  const { api } = useAuth();
  return useQuery({
    queryKey: [...KEYS.cup, id],
    queryFn: ({ signal }): Promise<Page | null> =>
      getCup(api, id, signal).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === NOT_FOUND) return null;
        throw error;
      }),
    refetchInterval: ({ state: { data, dataUpdatedAt: readAt } }) => {
      if (!data) return REFRESH_MS;
      if (data.state === 'final') return false;
      const windows = data.rounds.flatMap(({ pairings }) => pairings);
      const moments = windows.flatMap(({ starts_at, ends_at }) => [starts_at, ends_at]);
      return untilNext(moments, { now: data.now, readAt }, REFRESH_MS);
    },
    meta: { failure: 'The cup could not be read.', movedBy: ['game', 'cup', 'league'] },
  });
}

function GainWords({ page, mine }: { page: Page; mine: NonNullable<Page['mine']> }) {
  if (mine.to_gain === null) return <p>All games of your side are played.</p>;
  if (mine.to_gain === 0)
    return (
      <p>
        <b>Any score</b> adds to the sum.
      </p>
    );
  return (
    <p>
      <b>Beat {mine.to_gain}</b>, {page.kind === 'teams' ? 'your team’s' : 'your'}{' '}
      {page.best === 1 ? 'best' : `${ordinal(page.best)} best`}, and the sum grows.
    </p>
  );
}

/** The score that raises the player's sum, in the painted square. */
function Gain({ page, mine }: { page: Page; mine: NonNullable<Page['mine']> }) {
  return (
    <div className={styles.gain}>
      <h3 className="display">To gain</h3>
      <div className={styles.square} aria-hidden="true">
        <svg viewBox="0 0 124 108" aria-hidden="true">
          <path d="M119 70V17A12 12 0 0 0 107 5H17A12 12 0 0 0 5 17V91a12 12 0 0 0 12 12H84" />
          <circle cx="106" cy="90" r="16" />
        </svg>
        <span className="display">{gainTarget(mine)}</span>
      </div>
      <div>
        <GainWords page={page} mine={mine} />
        <p>{`You have played ${mine.own_games} of your ${mine.own_max}.`}</p>
      </div>
    </div>
  );
}

/** Says how a decided pairing ended for the player's side. */
function outcomeText(winner: number | null, own: number, pairing: string): string {
  if (winner === null) return 'Nobody played: there is no winner.';
  const won = winner === own;
  if (pairing === 'Final') return won ? 'You won the cup.' : 'You are second.';
  if (pairing === 'Third place') return won ? 'You are third.' : 'You are fourth.';
  return won ? 'You go on.' : 'This ended your cup.';
}

/** The player's pairing: the sums, what is to gain, the time left (CUP-30). */
function Mine({ page }: { page: Page }) {
  const own = ownPairing(page);
  if (own === null || page.mine === null) return null;
  const { pairing, round } = own;
  const { mine } = page;
  const now = new Date(page.now);
  const isFirst = pairing.a.seed === mine.seed;
  const [us, them] = isFirst ? [pairing.a, pairing.b] : [pairing.b, pairing.a];
  const at = (own: boolean) => (own === isFirst ? 0 : 1);
  const running = isRunning(pairing, now);
  const slot = page.rounds[round]?.pairings.indexOf(pairing) ?? 0;
  const title = pairingName({ round, slot }, page.rounds.length);
  const news = withoutGames(page, pairing);
  if (news !== null)
    return (
      <Panel title={title} left>
        <p>{news}</p>
      </Panel>
    );
  return (
    <Panel
      title={title}
      left
      aside={running ? <span className={league.live}>Live</span> : undefined}
    >
      {!pairing.decided && <p className={league.quiet}>{openText(pairing, now)}</p>}
      {pairing.decided && (
        <p className={league.quiet}>{outcomeText(pairing.winner, mine.seed, title)}</p>
      )}
      {hasSums(pairing) && (
        <ul className={league.duel}>
          <li>
            <span>{sideName(us)}</span>
            <small>
              {pairing.games?.[at(true)] ?? 0}/{page.of}
              <span className="sr"> games</span>
            </small>
            <b aria-live="polite">{inFull(pairing.sums?.[at(true)] ?? 0)}</b>
          </li>
          <li className={league.opponent}>
            <span>
              <span className="sr">Opponent: </span>
              {sideName(them)}
            </span>
            <small>
              {pairing.games?.[at(false)] ?? 0}/{page.of}
              <span className="sr"> games</span>
            </small>
            <b>{inFull(pairing.sums?.[at(false)] ?? 0)}</b>
          </li>
        </ul>
      )}
      {running && <Gain page={page} mine={mine} />}
    </Panel>
  );
}

/** A side that did not play has no sum. */
function sideSum({ sums, games, decided }: CupPairing, at: number): string {
  if (sums === null) return '';
  return decided && games?.[at] === 0 ? '–' : inFull(sums[at] ?? 0);
}

function Side({ side, pairing, at }: { side: CupSide; pairing: CupPairing; at: number }) {
  const won = pairing.winner !== null && pairing.winner === side.seed;
  return (
    <div className={won ? `${styles.pair} ${styles.win}` : styles.pair}>
      <span>
        {side.seed !== null && <i>{side.seed}</i>}
        {sideName(side)}
        {won && <span className="sr"> won</span>}
      </span>
      <b>{sideSum(pairing, at)}</b>
    </div>
  );
}

function Round({ round, page }: { round: CupRound; page: Page }) {
  const now = new Date(page.now);
  const isOwn = ({ a, b }: CupPairing) =>
    page.mine !== null && [a.seed, b.seed].includes(page.mine.seed);
  return (
    <Panel title={round.name} left>
      <ul className={styles.cup}>
        {round.pairings.map((pairing) => (
          <li key={pairing.id} className={isOwn(pairing) ? styles.ours : undefined}>
            <span className={pairing.label === THIRD ? styles.third : 'sr'}>{pairing.label}</span>
            <Side side={pairing.a} pairing={pairing} at={0} />
            <Side side={pairing.b} pairing={pairing} at={1} />
            <p>{pairingText(pairing, timeText(pairing, now))}</p>
          </li>
        ))}
      </ul>
      <p className={styles.foot}>Equal sums: the higher best game, then the better seed.</p>
    </Panel>
  );
}

function Rounds({ page }: { page: Page }) {
  const [chosen, choose] = useState<string | null>(null);
  const values = page.rounds.map((_, at) => String(at));
  const value = chosen ?? String(firstRound(page));
  const round = page.rounds[Number(value)];
  return (
    <div className={styles.rounds}>
      <Segments
        legend="Round"
        values={values}
        names={Object.fromEntries(page.rounds.map(({ name }, at) => [String(at), name]))}
        value={value}
        onChoose={choose}
      />
      {round !== undefined && <Round round={round} page={page} />}
    </div>
  );
}

/** In a cup of players, a side may leave; only staff can undo it (CUP-34). */
function Leave({ page }: { page: Page }) {
  const { api } = useAuth();
  const [asking, ask] = useState(false);
  const queries = useQueryClient();
  const leaving = useMutation({
    mutationFn: () => leaveCup(api, page.id),
    onSuccess: () => {
      ask(false);
      return queries.invalidateQueries({ queryKey: KEYS.cup });
    },
  });
  if (!page.mine?.can_leave) return null;
  return (
    <>
      <Button look="quiet" onClick={() => ask(true)}>
        I cannot come
      </Button>
      {asking && (
        <Modal title="Leave the cup?" onClose={() => ask(false)}>
          <p>Your opponent goes on without a game. Only staff can undo this.</p>
          {leaving.isError && <Failure error={leaving.error} />}
          <ModalButtons>
            <Button look="quiet" onClick={() => ask(false)}>
              Cancel
            </Button>
            <Button onClick={() => leaving.isPending || leaving.mutate()}>Leave the cup</Button>
          </ModalButtons>
        </Modal>
      )}
    </>
  );
}

/** A cup (CUP-30): the player's pairing, then the rounds. */
export function CupPage() {
  const { path } = useLocation();
  const query = useCup(idInPath(path)?.id ?? '');
  const { data } = query;
  const waiting = useDelayed(query.isPending);
  return (
    <PanelPage
      title={data?.name ?? 'Cup'}
      lead={
        data
          ? [
              `${data.venue ?? 'All venues'}, ${data.sides} ${data.kind}.`,
              countsText(data),
              // A stored answer of an older version has no season.
              ...(data.league && data.season
                ? [`The winner is the champion of ${data.league}, ${data.season}.`]
                : []),
              ...(onlyThirdIsOpen(data.rounds) ? [ONLY_THIRD_IS_OPEN] : []),
            ].join(' ')
          : undefined
      }
    >
      <Loaded
        data={data}
        waiting={waiting}
        query={query}
        skeleton={<Skeleton height="12rem" />}
        safe="Your games are safe. The cup will be here when you have a signal again."
        empty={<Empty title="No such cup" text="It may be over, or not yours to see." />}
      >
        {(page) => (
          <>
            {page.champion !== null && (
              <p className={styles.champion}>
                <b className="display">{sideName(page.champion)}</b>
                Won the cup
              </p>
            )}
            <Mine page={page} />
            <Rounds page={page} />
            <div className={styles.acts}>
              <ShowMyCode className={buttonClass('primary')} />
              <Leave page={page} />
            </div>
          </>
        )}
      </Loaded>
    </PanelPage>
  );
}
