import { sql } from 'kysely';
import { LATE_MS } from '#contract/rules/games.ts';
import { TELL_AFTER_S } from '#contract/rules/inbox.ts';
import { recordset } from '../db/recordset.ts';
import type { Queryable } from '../db/transaction.ts';
import { moment } from '../push/local-time.ts';
import { shortName } from '../push/message.ts';
import { type Notice, plan, readSent, replaceWaiting } from '../push/notices.ts';
import type { Teller } from '../push/planner.ts';
import { judgeGame, readFates, SEASON_OF_GAME } from './history.ts';

/* Notices to players about their own games (PUSH-01). An ordinary game causes no notice. */

/** `late` and `held` are known when a game is received. The others are decisions of staff. */
type What = 'late' | 'held' | 'released' | 'discarded' | 'taken_out' | 'restored' | 'stands';

type GameKey = { machine_id: number; id: string };
type Data = { what: What; games: GameKey[] };

const HOUR_MS = 3_600_000;
/** How long each notice is worth sending (PUSH-13). */
const WORTH_HOURS: Record<What, number> = {
  late: 24,
  held: 24,
  released: 48,
  discarded: 48,
  taken_out: 48,
  restored: 48,
  stands: 48,
};

const subjectOf = (game: GameKey | undefined) => `game ${game?.machine_id} ${game?.id}`;

function noticeOf(player_id: number, what: What, games: GameKey[], now: Date): Notice {
  const [first] = games;
  return {
    player_id,
    kind: 'my_game',
    // Late games that wait together are one notice (PUSH-14).
    subject: what === 'late' ? 'late' : subjectOf(first),
    data: { what, games: games.map(({ machine_id, id }) => ({ machine_id, id })) } satisfies Data,
    worth_until: new Date(now.getTime() + WORTH_HOURS[what] * HOUR_MS),
  };
}

type Recorded = GameKey & { player_id: number; played_at: Date; state: string };

/** Plans the notices about games that were just received. Ordinary games need none. */
export function planRecorded(
  on: Queryable,
  games: readonly Recorded[],
  now: Date,
): Promise<unknown> {
  const late = games.filter(
    ({ state, played_at }) => state === 'counted' && now.getTime() - played_at.getTime() > LATE_MS,
  );
  const held = games.filter(({ state }) => state === 'held');
  return plan(
    on,
    [
      ...[...Map.groupBy(late, ({ player_id }) => player_id)].map(([player_id, own]) =>
        noticeOf(player_id, 'late', own, now),
      ),
      ...held.map((game) => noticeOf(game.player_id, 'held', [game], now)),
    ],
    now,
  );
}

type Decided = Exclude<What, 'late' | 'held'>;

/**
 * Plans the notices of a decision, to be sent after TELL_AFTER_S. Until then staff can take the
 * decision back (OPS-17).
 */
export function planDecidedOf(
  on: Queryable,
  games: readonly (GameKey & { player_id: number })[],
  what: Decided,
  now: Date,
): Promise<unknown> {
  const dueAt = new Date(now.getTime() + TELL_AFTER_S * 1_000);
  return plan(
    on,
    games.map((game) => noticeOf(game.player_id, what, [game], now)),
    now,
    dueAt,
  );
}

/** Plans the notice of a decision about one game. */
export const planDecided = (
  on: Queryable,
  game: GameKey & { player_id: number },
  what: Decided,
  now: Date,
): Promise<unknown> => planDecidedOf(on, [game], what, now);

/**
 * Plans the notice of a game that is held again, if the player was told a decision last. If nothing
 * was sent yet, the notice only replaces a waiting one, such as the decision that had replaced it
 * (PUSH-14). A player who was told last that the game is held is not told again.
 */
export async function planHeldAgain(
  on: Queryable,
  game: GameKey & { player_id: number },
  now: Date,
): Promise<void> {
  const notice = noticeOf(game.player_id, 'held', [game], now);
  const sent = (await readSent(on, notice)) as Data | null;
  if (sent === null) await replaceWaiting(on, notice, now);
  else if (sent.what !== 'held') await plan(on, [notice], now);
}

/**
 * Whether the notice about this game that was sent last says that it was taken out. False too once
 * that notice is no longer kept.
 */
export async function wasToldOut(
  on: Queryable,
  game: GameKey & { player_id: number },
): Promise<boolean> {
  const about = { player_id: game.player_id, kind: 'my_game', subject: subjectOf(game) } as const;
  const sent = (await readSent(on, about)) as Data | null;
  return sent?.what === 'taken_out';
}

/** For each notice, the state of the game in which the notice is true (PUSH-16). */
const STATES: Record<What, string> = {
  late: 'counted',
  held: 'held',
  released: 'counted',
  discarded: 'discarded',
  taken_out: 'void',
  restored: 'counted',
  stands: 'counted',
};

type Row = GameKey & {
  score: number;
  played_at: Date;
  state: string;
  /** The state of the newest report. */
  report: string | null;
  machine: string;
  team: string | null;
  week: string | null;
  outside: 'league_mode_off' | 'no_team' | null;
  paused: boolean;
  off_season: boolean;
};

async function readTold(on: Queryable, playerId: number, games: readonly GameKey[]) {
  const { rows } = await sql<Row>`
    select g.machine_id, g.id, g.score, g.played_at, g.state, m.name as machine, t.name as team,
      g.week, g.outside, ${SEASON_OF_GAME}, (
        select state from game_reports e where e.machine_id = g.machine_id and e.game_id = g.id
        order by state = 'open' desc, e.id desc limit 1) as report
    from ${recordset(games, 'machine_id integer, id uuid')}
    join games g on g.machine_id = r.machine_id and g.id = r.id
    join machines m on m.id = g.machine_id left join teams t on t.id = g.team_id
    where g.player_id = ${playerId} order by g.score desc`.execute(on);
  return rows;
}

const number = (score: number) => score.toLocaleString('en');

/** The words of push.md, section “Words” (PUSH-40). */
export const gameTeller: Teller = {
  rank: () => 4,
  words: async ({ db }, { player_id, data }, { zone }) => {
    const { what, games } = data as Data;
    const told = (await readTold(db, player_id, games)).filter(
      ({ state, report }) => state === STATES[what] && (what !== 'stands' || report === 'stands'),
    );
    const [game] = told;
    if (game === undefined) return null;
    const path = '/games';
    const score = number(game.score);
    const machine = shortName(game.machine);
    const { day, time } = moment(game.played_at, zone);
    if (what === 'late' && told.length > 1)
      return {
        title: `${told.length} late games came in`,
        body: `The best of them: ${score}.`,
        path,
      };
    const fates = await readFates(
      db,
      player_id,
      game.state === 'counted' && game.week !== null ? [game.week] : [],
    );
    const { counts } = judgeGame({ ...game, state: game.state as 'counted' }, fates);
    const team = shortName(game.team ?? '');
    const counted =
      counts === 'league' || counts === 'bench'
        ? `It counts for ${team}.`
        : counts === 'over_8'
          ? 'It counts for you, not for your team.'
          : 'It counts for you.';
    switch (what) {
      case 'late':
        return {
          title: `A late game came in: ${score}`,
          body: `Played ${day} at ${time} on ${machine}. ${counted}`,
          path,
        };
      case 'held':
        return {
          title: 'Your game is held',
          body: `${score} on ${machine}, ${day} ${time}. Staff check it first.`,
          path,
        };
      case 'released':
        return {
          title: `Your held game counts: ${score}`,
          body: `Staff checked it. ${counted}`,
          path,
        };
      case 'discarded':
        return {
          title: 'Your held game does not count',
          body: `${score} on ${machine}, ${day} ${time}. Staff checked it.`,
          path,
        };
      case 'taken_out':
        return {
          title: 'A game was taken out',
          body: `${score} on ${machine}, ${day} ${time}. It counts nowhere now. See why.`,
          path,
        };
      case 'restored':
        return {
          title: `A game counts again: ${score}`,
          body: `Played ${day} at ${time} on ${machine}.`,
          path,
        };
      case 'stands':
        return {
          title: 'Checked: it counts',
          body: `${score} on ${machine}, ${day} ${time}, which you reported.`,
          path,
        };
    }
  },
};
