import { sql } from 'kysely';
import type { ReportBody, Verdict } from '#contract/wire/games.ts';
import { changeAs } from '../accounts/sessions.ts';
import type { Database } from '../db/database.ts';
import { notify, notifyConsole } from '../db/notifications.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import type { Session } from '../http/caller.ts';
import { charge, enoughToday, giveBack, limitOf } from '../http/limits.ts';
import { lockPlayers } from '../players/players.ts';
import { type Corrected, changeIn, findGame, type GameState, reopen } from './corrections.ts';
import { planDecided } from './notices.ts';
import { lockCorrections } from './rebuild.ts';

export const NOT_YOURS = 'This is not a game of yours.';

type OwnGame = { machine_id: number; state: GameState['state']; open: boolean };

async function findOwn(trx: Database, playerId: number, id: string): Promise<OwnGame | undefined> {
  // Look the id up on each machine, because the primary key of `games` begins with the machine.
  const { rows } = await sql<OwnGame>`
    select g.machine_id, g.state, exists (
      select from game_reports r
      where r.machine_id = g.machine_id and r.game_id = g.id and r.state = 'open') as open
    from machines m join games g on g.machine_id = m.id and g.id = ${id}
    where g.player_id = ${playerId} limit 1`.execute(trx);
  return rows[0];
}

/**
 * Reports a player's game to staff (GAME-11).
 * @throws Refusal 400 when the game is not the player's, is already reported, void or discarded;
 * 429 after ten reports in a day (P67); 401 when the session has ended (P4).
 */
export async function reportGame(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  session: Pick<Session, 'id' | 'player_id'>,
  gameId: string,
  { reason, text }: ReportBody,
): Promise<void> {
  const reports = limitOf('game_report', String(session.player_id));
  const [used] = await charge(deps, [reports]);
  if (used !== undefined) throw enoughToday(`report ${reports.max} games`, used);
  try {
    // `changeAs` locks the player. Of two concurrent reports of a game, one therefore waits.
    await changeAs(deps, session, async (trx, { id: playerId }) => {
      const game = await findOwn(trx, playerId, gameId);
      if (game === undefined) throw badRequest(NOT_YOURS);
      if (game.open) throw badRequest('You have reported this game already.');
      if (game.state === 'void' || game.state === 'discarded')
        throw badRequest('This game counts nowhere already.');
      await trx
        .insertInto('game_reports')
        .values({
          machine_id: game.machine_id,
          game_id: gameId,
          player_id: playerId,
          reason,
          text: text === undefined || text === '' ? null : text,
          reported_at: deps.clock.now(),
        })
        .execute();
      await notify(trx, { game: [playerId] });
      await notifyConsole(trx, ['reports']);
    });
  } catch (error) {
    await giveBack(deps, [reports]);
    throw error;
  }
}

/**
 * Withdraws a game's open report, if any (GAME-11).
 * @throws Refusal 401 when the session has ended (P4).
 */
export async function withdrawReport(
  deps: Pick<Deps, 'db' | 'clock'>,
  session: Pick<Session, 'id' | 'player_id'>,
  gameId: string,
): Promise<void> {
  await changeAs(deps, session, async (trx, { id: playerId }) => {
    await trx
      .deleteFrom('game_reports')
      .where('player_id', '=', playerId)
      .where('game_id', '=', gameId)
      .where('state', '=', 'open')
      .execute();
    await notify(trx, { game: [playerId] });
    await notifyConsole(trx, ['reports']);
  });
}

/**
 * Settles a game's open report (GAME-11).
 * @throws Refusal 404 when the game is unknown or has no open report; 409 for `stands` when the
 * game is void or discarded.
 */
export async function settleReport(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  seq: number,
  verdict: Verdict,
): Promise<Corrected> {
  return transact(db, async (trx) => {
    await lockCorrections(trx);
    const game = await findGame(trx, seq);
    await lockPlayers(trx, [game.player_id]);
    const { numUpdatedRows } = await trx
      .updateTable('game_reports')
      .set({ state: verdict, settled_at: clock.now() })
      .where('machine_id', '=', game.machine_id)
      .where('game_id', '=', game.id)
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound(`Game ${seq} has no open report.`);
    await notifyConsole(trx, ['reports']);
    const out = game.state === 'void' || game.state === 'discarded';
    if (verdict === 'stands' && out)
      throw conflict(`Game ${seq} counts nowhere. Settle its report with void.`);
    if (verdict === 'void' && !out)
      return changeIn(trx, game, game.state === 'held' ? 'discarded' : 'void', clock.now());
    if (game.state === 'counted') await planDecided(trx, game, 'stands', clock.now());
    await notify(trx, { game: [game.player_id] });
    return { ...game, was: game.state };
  });
}

/**
 * Opens a game's newest report again, and leaves the game as it is (GAME-11).
 * @throws Refusal 404 for an unknown game; 409 when it has no settled report, or an open one.
 */
export async function reopenReport({ db }: Pick<Deps, 'db'>, seq: number): Promise<Corrected> {
  return transact(db, async (trx) => {
    await lockCorrections(trx);
    const game = await findGame(trx, seq);
    await lockPlayers(trx, [game.player_id]);
    if (!(await reopen(trx, game, ['void', 'stands'])))
      throw conflict(`Game ${seq} has no settled report, or its report is open already.`);
    await notify(trx, { game: [game.player_id] });
    return { ...game, was: game.state };
  });
}
