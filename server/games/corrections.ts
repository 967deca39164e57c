import { sql } from 'kysely';
import { TELL_AFTER_S } from '#contract/rules/inbox.ts';
import type { Verdict } from '#contract/wire/games.ts';
import type { Database } from '../db/database.ts';
import { notify, notifyConsole } from '../db/notifications.ts';
import type { Schema } from '../db/schema.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { duelistsOf, planOvertaken, readRunning } from '../duels/running.ts';
import { conflict, notFound } from '../errors.ts';
import { lockPlayers } from '../players/players.ts';
import { planDecided, planHeldAgain, wasToldOut } from './notices.ts';
import { lockCorrections, recount } from './rebuild.ts';

type State = Schema['games']['state'];

export type GameState = {
  /** Its number (GAME-01). */
  seq: number;
  id: string;
  machine_id: number;
  machine: string;
  /** The venue where the game was played (MACH-14). */
  venue_id: number | null;
  player_id: number;
  /** null when the account was deleted. */
  player: string | null;
  score: number;
  played_at: Date;
  received_at: Date;
  state: State;
  held_reason: Schema['games']['held_reason'];
};

export type Corrected = GameState & { was: State };

const IN_WORDS: Record<State, string> = {
  counted: 'counts',
  held: 'is held',
  void: 'is void',
  discarded: 'was discarded',
};

/** SQL: the columns of a `GameState`, of rows `g`, `m` and `p` of games, machines and players. */
export const GAME_COLUMNS = sql`g.seq, g.id, g.machine_id, m.name as machine,
  g.venue_id, g.player_id, p.username as player, g.score, g.played_at, g.received_at, g.state, g.held_reason`;

/**
 * The game with this number.
 * @throws Refusal 404 for an unknown game.
 */
export async function findGame(
  trx: Database,
  seq: number,
  reached = sql<boolean>`true`,
): Promise<GameState & { reached: boolean }> {
  const { rows } = await sql<GameState & { reached: boolean }>`
    select ${GAME_COLUMNS}, ${reached} as reached from games g
    join machines m on m.id = g.machine_id
    left join players p on p.id = g.player_id
    where g.seq = ${seq}`.execute(trx);
  const [game] = rows;
  if (game === undefined) throw notFound(`There is no game ${seq}.`);
  return game;
}

/** The team, week and league of a game, if it is a league game. */
async function leagueOf(trx: Database, { machine_id, id }: GameState) {
  return trx
    .selectFrom('games')
    .innerJoin('teams', 'teams.id', 'games.team_id')
    .select(['teams.league_id', 'games.team_id', 'games.week'])
    .where('games.machine_id', '=', machine_id)
    .where('games.id', '=', id)
    .execute();
}

/**
 * Opens a game's newest report again if its verdict is one of `verdicts` and no report is open
 * (GAME-11). Returns whether it did.
 */
export async function reopen(
  trx: Database,
  { machine_id, id }: GameState,
  verdicts: readonly Verdict[],
): Promise<boolean> {
  const { rows } = await sql`
    update game_reports set state = 'open', settled_at = null
    where state = any(${[...verdicts]}) and id = (
      select id from game_reports where machine_id = ${machine_id} and game_id = ${id}
      order by state = 'open' desc, id desc limit 1)
    returning id`.execute(trx);
  if (rows.length > 0) await notifyConsole(trx, ['reports']);
  return rows.length > 0;
}

/**
 * Changes a game's state and all that derives from it. If the game now counts, the player, and a
 * rival whom it overtakes, get a notice after TELL_AFTER_S, unless `known` is true. Of a restored
 * game, players are told only if they were told that it was out: of several that staff void
 * together, only of the newest (PUSH-01). The caller must hold `lockCorrections`.
 */
export async function changeIn(
  trx: Database,
  game: GameState,
  to: State,
  now: Date,
  known = false,
): Promise<Corrected> {
  const told = to === 'counted' && !known && new Date(now.getTime() + TELL_AFTER_S * 1_000);
  await lockPlayers(trx, [game.player_id]);
  const duels = told ? await readRunning(trx, game.player_id) : [];
  await trx
    .updateTable('games')
    .set({
      state: to,
      // A game held again does not land (OPS-17). A void one keeps its landing, in case of an undo.
      ...(told
        ? { landed_at: told }
        : to === 'held' && {
            landed_at: sql<Date | null>`case when landed_at <= ${now} then landed_at end`,
          }),
    })
    .where('machine_id', '=', game.machine_id)
    .where('id', '=', game.id)
    .execute();
  if (game.state === 'void' || game.state === 'discarded') await reopen(trx, game, ['void']);
  const played = await leagueOf(trx, game);
  await recount(trx, [game.player_id], now, played);
  await notify(trx, {
    game: [game.player_id],
    duel: await duelistsOf(trx, [game.player_id]),
    league: played.map(({ league_id }) => league_id),
    venue: game.venue_id === null ? [] : [game.venue_id],
  });
  if (to === 'held') await planHeldAgain(trx, game, now);
  if (to === 'void') await planDecided(trx, game, 'taken_out', now);
  if (to === 'discarded') await planDecided(trx, game, 'discarded', now);
  if (told) {
    if (game.state === 'held') await planDecided(trx, game, 'released', now);
    else if (await wasToldOut(trx, game)) await planDecided(trx, game, 'restored', now);
    await planOvertaken(trx, [game], new Map([[game.player_id, { duels }]]), now, told);
  }
  return { ...game, state: to, was: game.state };
}

async function change(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  seq: number,
  { from, to, known }: { from: readonly State[]; to: State; known?: boolean },
): Promise<Corrected> {
  return transact(db, async (trx) => {
    await lockCorrections(trx);
    const game = await findGame(trx, seq);
    if (!from.includes(game.state)) {
      const needed = from.map((state) => IN_WORDS[state]).join(' or ');
      throw conflict(`Game ${seq} ${IN_WORDS[game.state]}; this needs one that ${needed}.`);
    }
    if (to === 'held' && game.held_reason === null) throw conflict(`Game ${seq} was never held.`);
    return changeIn(trx, game, to, clock.now(), known);
  });
}

type ChangeDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Voids a counted game: it counts nowhere (GAME-01).
 * @throws Refusal 404 for an unknown game; 409 when it is not counted.
 */
export const voidGame = (deps: ChangeDeps, seq: number) =>
  change(deps, seq, { from: ['counted'], to: 'void' });

/**
 * Undoes `voidGame`. `known`: the player was not told that the game was void (OPS-17).
 * @throws Refusal 404 for an unknown game; 409 when it is not void.
 */
export const restoreGame = (deps: ChangeDeps, seq: number, known = false) =>
  change(deps, seq, { from: ['void'], to: 'counted', known });

/**
 * Counts a held game, in its week.
 * @throws Refusal 404 for an unknown game; 409 when it is not held.
 */
export const releaseGame = (deps: ChangeDeps, seq: number) =>
  change(deps, seq, { from: ['held'], to: 'counted' });

/**
 * Rejects a held game. It counts nowhere, but its row stays.
 * @throws Refusal 404 for an unknown game; 409 when it is not held.
 */
export const discardGame = (deps: ChangeDeps, seq: number) =>
  change(deps, seq, { from: ['held'], to: 'discarded' });

/**
 * Undoes `releaseGame` or `discardGame`: the game is held again.
 * @throws Refusal 404 for an unknown game; 409 when it was never held, or is void or held.
 */
export const returnGame = (deps: ChangeDeps, seq: number) =>
  change(deps, seq, { from: ['counted', 'discarded'], to: 'held' });
