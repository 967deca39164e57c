import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Postgres } from '../postgres.ts';
import { type Request, request } from './load.ts';
import { codeOf, keyOf, MACHINES, type Size } from './seed.ts';

/** The server's status by game id. */
export type Acknowledged = Map<string, 'recorded' | 'held' | 'duplicate'>;

export const GAMES_PATH = '/api/machine/games/';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
/**
 * The age of the oldest game. From then until yesterday, each player has a game every six hours,
 * always in the second half of an hour, because the seed's games are in the first half.
 */
const BACK_MS = 28 * DAY_MS;
const EVERY_HOURS = 6;
const SLOTS = (BACK_MS - DAY_MS) / (EVERY_HOURS * HOUR_MS);
/** A player has at most this many consecutive games in a call. */
const IN_A_ROW = 5;

/** The age of the oldest live game (late ones are older), and the time between a player's games. */
const LIVE_MS = 28 * 60_000;
const APART_MS = 90_000;

/**
 * Makes calls with `count` games each, from the last four weeks. With `live`, from the last half
 * hour, which has time for 18 games of each player.
 */
export function gamesMaker(
  { players }: Size,
  live = false,
): (count: number) => { key: string; body: string } {
  const first = Math.floor((Date.now() - BACK_MS) / HOUR_MS) * HOUR_MS + HOUR_MS / 2;
  const played = new Uint32Array(players + 1);
  const keys = Array.from({ length: MACHINES }, (_, at) => keyOf(at + 1));
  const codes = Array.from({ length: players }, (_, at) => codeOf(at + 1));
  let calls = 0;
  let made = 0;
  return (count) => {
    const games = Array.from({ length: count }, () => {
      const turn = Math.floor(made++ / Math.min(count, IN_A_ROW));
      const player = ((turn * 7_919) % players) + 1;
      const nth = played[player] ?? 0;
      played[player] = nth + 1;
      const slot = (player * 7 + nth) % SLOTS;
      const time = live
        ? Date.now() - LIVE_MS + nth * APART_MS
        : first + slot * EVERY_HOURS * HOUR_MS + Math.floor(nth / SLOTS) * APART_MS;
      const score = 100 + ((made * 31) % 400);
      return `{"id":"${randomUUID()}","player":"${codes[player - 1]}","score":${score},"played_at":"${new Date(time).toISOString()}","duration_s":45,"shots_made":${score >> 2},"shots_attempted":${score >> 1}}`;
    });
    return { key: keys[calls++ % MACHINES] ?? '', body: `{"games":[${games.join(',')}]}` };
  };
}

/**
 * Adds the games of a response to `acknowledged`. With `again`, accepts `duplicate` too.
 * @throws Error for any other status
 */
export function note(acknowledged: Acknowledged, body: string, again = false): void {
  for (const { id, status } of JSON.parse(body).results)
    if (status === 'recorded' || status === 'held') acknowledged.set(id, status);
    else if (status === 'duplicate' && again) acknowledged.set(id, status);
    else throw new Error(`a game was ${status}: ${body.slice(0, 300)}`);
}

/** Makes requests with `count` games each, like `gamesMaker`, and notes the acknowledged games. */
export function reportedGames(
  size: Size,
  acknowledged: Acknowledged,
  count: number,
  live = false,
): () => Request {
  const make = gamesMaker(size, live);
  return () => {
    const { key, body } = make(count);
    return {
      text: request('POST', GAMES_PATH, { authorization: `Bearer ${key}` }, body),
      answered: (status, body) => {
        if (status === 200) note(acknowledged, body);
      },
    };
  };
}

const CALL_EVERY_MS = 100;
const RETRY_MS = 100;

/** Repeats the call until its status is 200. `again`: whether the call was repeated. */
export async function insist(
  call: () => Promise<Response>,
  onRepeat: () => void,
): Promise<{ body: string; again: boolean }> {
  for (let again = false; ; again = true) {
    const answer = await call().catch(() => null);
    const body = await answer?.text().catch(() => null);
    if (answer?.status === 200 && typeof body === 'string') return { body, again };
    onRepeat();
    await sleep(RETRY_MS);
  }
}

export type Reporting = {
  acknowledged: Acknowledged;
  /** When each game was first sent, and when it was acknowledged, in ms since 1970. */
  calls: { begun: number; ended: number }[];
  /** Failed reports so far. Each was retried. */
  repeated(): number;
  stop(): Promise<void>;
};

/** Reports games one by one, with `reporters` clients at the same time, to the server at `base`. */
export function reportGames(
  base: () => string,
  size: Size,
  reporters: number,
  live = false,
): Reporting {
  const make = gamesMaker(size, live);
  const acknowledged: Acknowledged = new Map();
  const calls: Reporting['calls'] = [];
  let repeated = 0;
  let over = false;
  const now = () => performance.timeOrigin + performance.now();
  const report = async () => {
    while (!over) {
      const { key, body } = make(1);
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const begun = now();
      const answer = await insist(
        () => fetch(`${base()}${GAMES_PATH}`, { method: 'POST', headers, body }),
        () => {
          repeated += 1;
        },
      );
      note(acknowledged, answer.body, answer.again);
      calls.push({ begun, ended: now() });
      await sleep(CALL_EVERY_MS);
    }
  };
  const running = Array.from({ length: reporters }, report);
  return {
    acknowledged,
    calls,
    repeated: () => repeated,
    stop: async () => {
      over = true;
      await Promise.all(running);
    },
  };
}

/**
 * The longest gap between neighbours in `times` (ms, ascending), and when it ended; both 0 with fewer
 * than two.
 */
export function longestGap(times: readonly number[]): { ms: number; until: number } {
  const gaps = times.slice(1).map((until, at) => ({ ms: until - (times[at] ?? until), until }));
  return gaps.reduce((most, one) => (one.ms > most.ms ? one : most), { ms: 0, until: 0 });
}

/**
 * Checks that every acknowledged game is stored once and no other game is, and that all derived
 * figures equal a recount in SQL, except the achievements `three-better` and `five-days`. Returns a
 * sentence for the report.
 * @param beside an older version that also recorded games. Best scores of weeks that it left unknown
 *   are not compared, nor, beside 0.1, the counts of boards.
 * @throws Error if a check fails
 */
export async function proveExactlyOnce(
  database: Pick<Postgres, 'host' | 'port'>,
  since: Date,
  acknowledged: Acknowledged,
  { beside }: { beside?: '0.1' | '0.2' } = {},
): Promise<string> {
  const { host, port } = database;
  const client = new pg.Client({ host, port, user: 'postgres', database: 'backboard' });
  await client.connect();
  try {
    await client.query('create temp table acknowledged (id uuid, state text)');
    const stream = client.query(copyFrom('copy acknowledged from stdin'));
    for (const [id, status] of acknowledged)
      stream.write(`${id}\t${{ held: 'held', recorded: 'counted', duplicate: '\\N' }[status]}\n`);
    stream.end();
    await once(stream, 'finish');
    const { rows } = await client.query<Record<string, number>>(`
      with stored as (
        select id, state, count(*) over (partition by id) as times from games
        where received_at >= '${since.toISOString()}'
      )
      select
        (select count(*)::int from acknowledged left join stored using (id) where times is null) as lost,
        (select count(*)::int from stored where times > 1) as twice,
        (select count(*)::int from stored left join acknowledged a using (id) where a.id is null) as others,
        (select count(*)::int from stored join acknowledged a using (id) where a.state <> stored.state) as otherwise`);
    const wrong = Object.entries(rows[0] ?? {}).filter(([, count]) => count !== 0);
    const { best_counts, ...known } = RECOUNTS;
    const recounts = {
      ...known,
      ...(beside === '0.1' ? {} : { best_counts }),
      ...(beside === undefined ? {} : BEST_BESIDE_OLDER),
    };
    for (const [table, { stored, recounted }] of Object.entries(recounts)) {
      const { rows } = await client.query<{ count: number }>(`
        with counted as (select * from games where state = 'counted'),
          stored as (${stored}), recounted as (${recounted})
        select count(*)::int from (
          (table stored except table recounted) union all (table recounted except table stored)
        ) different`);
      if (rows[0]?.count !== 0) wrong.push([table, rows[0]?.count ?? Number.NaN]);
    }
    if (wrong.length > 0 || acknowledged.size === 0)
      throw new Error(`not exactly once: ${wrong.map((pair) => pair.join(' ')).join(', ')}`);
    return `${acknowledged.size} games acknowledged, each stored once; all figures equal a recount`;
  } finally {
    await client.end();
  }
}

const SHOWN = "(week = '-infinity' or week = date_trunc('week', now() at time zone 'UTC'))";

const FIRST_EIGHT = `(
  select * from (
    select *, row_number() over (partition by player_id, week order by played_at, id) as nth
    from counted where week is not null
  ) in_week where nth <= 8) first`;

/** Version 0.2 changes the sum of a week, not its best score, which is then unknown (migration 069). */
const BEST_BESIDE_OLDER = {
  best_of_weeks: {
    stored: 'select team_id, week, player_id, best from league_weeks where best_sum = score_sum',
    recounted: `
      select team_id, week, player_id, max(score) from ${FIRST_EIGHT}
      join league_weeks w using (team_id, week, player_id) where w.best_sum = w.score_sum
      group by 1, 2, 3`,
  },
};

const SUMMED = `
  join teams t on t.id = w.team_id join seasons s on s.league_id = t.league_id
    and w.week >= s.starts_on and w.week <= coalesce(s.last_week, 'infinity') and w.week <= s.summed_to`;

/** For each table, `stored` reads the rows, and `recounted` computes them again from scratch. */
const RECOUNTS = {
  player_stats: {
    stored: 'select player_id, games_played, highscore, score_sum from player_stats',
    recounted: `select player_id, count(*)::int, max(score), sum(score)::bigint
      from counted group by player_id`,
  },
  league_weeks: {
    stored: `select team_id, week, player_id, games_played, score_sum, total, fourth_best
      from league_weeks`,
    recounted: `
      select team_id, week, player_id, count(*)::int, sum(score)::bigint,
        sum(score) filter (where place <= 4)::bigint, min(score) filter (where place = 4)
      from (
        select *, row_number() over (partition by player_id, week, team_id order by score desc) as place
        from ${FIRST_EIGHT}
      ) best group by 1, 2, 3`,
  },
  best_of_weeks: {
    stored: 'select team_id, week, player_id, best, best_sum from league_weeks',
    recounted: `select team_id, week, player_id, max(score), sum(score)::bigint
      from ${FIRST_EIGHT} group by 1, 2, 3`,
  },
  team_weeks: {
    stored: `select w.team_id, w.week, w.total, w.best from team_weeks w ${SUMMED}`,
    recounted: `select w.team_id, w.week, sum(w.total)::bigint, max(w.best)
      from league_weeks w ${SUMMED} group by 1, 2`,
  },
  bests: {
    stored: `select venue_id, week, player_id, score from bests where ${SHOWN}`,
    recounted: `
      select venue_id, week, player_id, max(score) from (
        select board.venue_id, board.week, g.player_id, g.score
        from counted g
        cross join lateral (values (date '-infinity'),
          (date_trunc('week', g.played_at at time zone 'UTC')::date)) w (week)
        cross join lateral (values (0, w.week), (g.venue_id, w.week)) board (venue_id, week)
      ) boards where ${SHOWN} group by 1, 2, 3`,
  },
  best_counts: {
    stored: `select venue_id, week, score, players from best_counts where ${SHOWN} and players <> 0`,
    recounted: `select venue_id, week, score, count(*)::int from bests where ${SHOWN}
      group by 1, 2, 3`,
  },
  player_achievements: {
    stored: `select player_id, key, machine_id, game_id from player_achievements
      where key not in ('three-better', 'five-days')`,
    recounted: `
      select distinct on (player_id, key) player_id, key, machine_id, id
      from (
        select *, row_number() over arrivals as nth,
          case when week is not null
            then count(week) over (partition by player_id, week order by seq) end as nth_of_week,
          max(score) over (arrivals rows between unbounded preceding and 1 preceding) as best
        from counted window arrivals as (partition by player_id order by seq)
      ) g cross join lateral (values
        ('first-game', nth >= 1), ('games-10', nth >= 10), ('games-50', nth >= 50),
        ('games-100', nth >= 100), ('personal-best', score > best),
        ('first-league-game', nth_of_week >= 1), ('four-counted', nth_of_week >= 4),
        ('all-eight', nth_of_week >= 8)
      ) rule (key, won) where won order by player_id, key, seq`,
  },
};
