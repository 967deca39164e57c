import { canonicalEmail } from '#contract/rules/email.ts';
import { GAMES_LIST_MAX, HELD_LIST_MAX } from '#contract/rules/games.ts';
import {
  gameAnswer,
  gameRef,
  gamesListAnswer,
  gamesListBody,
  heldAnswer,
  reportsAnswer,
  settleBody,
} from '#contract/wire/games.ts';
import { decidedAnswer, decisionsAnswer, inboxAnswer, inboxCount } from '#contract/wire/inbox.ts';
import { notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import {
  discardGame,
  findGame,
  type GameFilter,
  type GameState,
  listGames,
  listHeld,
  releaseGame,
  restoreGame,
  voidGame,
} from '../games/corrections.ts';
import { listReports, settleReport } from '../games/reports.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { findMachine } from '../machines/machines.ts';
import { findByEmail, findPlayers } from '../players/players.ts';
import { actorOf, asLogged } from '../staff/actor.ts';
import { audited, lastDecisions } from '../staff/audit.ts';
import { reachOf, requireGame } from '../staff/reach.ts';
import { readDecisions } from '../staff-pages/decisions.ts';
import { countInbox, readInbox } from '../staff-pages/inbox.ts';
import { operatorSchema, refusals } from './schema.ts';

const shown = ({ id, machine, player, score, played_at }: GameState) => ({
  id,
  machine,
  player,
  score,
  played_at: played_at.toISOString(),
});

/** The commands `held …`, `game …` and `report …`. */
export function gameCommands(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/api/operator/held/',
    {
      schema: {
        ...operatorSchema('List the held games, oldest first', { role: 'manager' }),
        response: { 200: heldAnswer, ...refusals },
      },
    },
    async (request) => {
      const { games, total } = await listHeld(deps, HELD_LIST_MAX, reachOf(actorOf(request)));
      const results = games.flatMap((game) =>
        game.held_reason === null
          ? []
          : {
              ...shown(game),
              received_at: game.received_at.toISOString(),
              reason: game.held_reason,
            },
      );
      return { results, total };
    },
  );

  app.get(
    '/api/operator/inbox/',
    {
      schema: {
        ...operatorSchema('List the held games and reports, each with what staff need to decide', {
          role: 'manager',
        }),
        response: { 200: inboxAnswer, ...refusals },
      },
    },
    async (request) => readInbox(deps, reachOf(actorOf(request))),
  );

  app.get(
    '/api/operator/inbox/count/',
    {
      schema: {
        ...operatorSchema('Count the held games and the open reports', { role: 'manager' }),
        response: { 200: inboxCount, ...refusals },
      },
    },
    async (request) => {
      const { held, reports } = await countInbox(deps.db, reachOf(actorOf(request)));
      return { held, reports };
    },
  );

  app.get(
    '/api/operator/inbox/decided/',
    {
      schema: {
        ...operatorSchema('Show who decided about a game last, and what', { role: 'manager' }),
        querystring: gameRef,
        response: { 200: decidedAnswer, ...refusals },
      },
    },
    async (request) => {
      const id = request.query.game.toLowerCase();
      const { machine } = request.query;
      const machines = await requireGame(deps.db, actorOf(request), id, machine);
      const game = await findGame(deps.db, id, machines);
      const [last] = await lastDecisions(deps.db, [game]);
      if (last === undefined) return { decided: null };
      const { decision, by, at } = last;
      return { decided: { decision, by, at: at.toISOString() } };
    },
  );

  app.get(
    '/api/operator/inbox/decisions/',
    {
      schema: {
        ...operatorSchema('List what was decided about games within a day, newest first', {
          role: 'manager',
        }),
        response: { 200: decisionsAnswer, ...refusals },
      },
    },
    async (request) => ({ results: await readDecisions(deps, reachOf(actorOf(request))) }),
  );

  /**
   * The id of a player, by address or username.
   * @throws Refusal 404 when there is none.
   */
  async function playerOf(typed: string): Promise<number> {
    const player = typed.includes('@')
      ? await findByEmail(deps.db, canonicalEmail(typed))
      : (await findPlayers(deps.db, { usernames: [typed] }))[0];
    if (player === undefined) throw notFound(`There is no player “${typed}”.`);
    return player.id;
  }

  // A POST: the filter may contain an address, and paths are logged (P42).
  app.post(
    '/api/operator/games/list/',
    {
      schema: {
        ...operatorSchema('List games, newest first: of a player, of a machine, since a time', {
          role: 'manager',
        }),
        body: gamesListBody,
        response: { 200: gamesListAnswer, ...refusals },
      },
    },
    async (request) => {
      const { player, machine, since } = request.body;
      const actor = actorOf(request);
      const filter: GameFilter = {
        ...(player === undefined ? {} : { player_id: await playerOf(player) }),
        ...(machine === undefined ? {} : { machine_id: (await findMachine(deps.db, machine)).id }),
        ...(since === undefined ? {} : { since: new Date(since) }),
      };
      const { games, total } = await listGames(deps, filter, GAMES_LIST_MAX, reachOf(actor));
      return { results: games.map((game) => ({ ...shown(game), state: game.state })), total };
    },
  );

  app.get(
    '/api/operator/games/show/',
    {
      schema: {
        ...operatorSchema('Show a game', { role: 'manager' }),
        querystring: gameRef,
        response: { 200: gameAnswer, ...refusals },
      },
    },
    async (request) => {
      const id = request.query.game.toLowerCase();
      const { machine } = request.query;
      const machines = await requireGame(deps.db, actorOf(request), id, machine);
      const game = await findGame(deps.db, id, machines);
      return { ...shown(game), state: game.state };
    },
  );

  function correction(path: string, summary: string, done: string, change: typeof voidGame): void {
    app.post(
      `/api/operator/${path}`,
      {
        schema: {
          ...operatorSchema(summary, { role: 'manager' }),
          body: gameRef,
          response: { 200: gameAnswer, ...refusals },
        },
      },
      async (request) => {
        const id = request.body.game.toLowerCase();
        const actor = actorOf(request);
        const game = await audited(deps, actor, async (trx, write) => {
          const machines = await requireGame(trx, actor, id, request.body.machine);
          const changed = await change({ ...deps, db: trx }, id, machines);
          await write({
            area: 'games',
            what: `${done} of ${changed.player ?? 'a deleted player'}`,
            venue_id: changed.venue_id,
            player_id: changed.player_id,
            before: { state: changed.was },
            after: {
              state: changed.state,
              points: changed.score,
              played: changed.played_at.toISOString(),
              machine: changed.machine,
              machine_id: changed.machine_id,
              game: id,
            },
          });
          // The inbox lists every decision, also about games that were not held (GAME-13).
          await notifyConsole(trx, ['held']);
          return changed;
        });
        logSecurity(request, 'game_corrected', {
          ...asLogged(actorOf(request)),
          game: game.id,
          state: game.state,
        });
        return { ...shown(game), state: game.state };
      },
    );
  }
  correction(
    'held/release/',
    'Accept a held game: it then counts',
    'Released a held game',
    releaseGame,
  );
  correction(
    'held/discard/',
    'Discard a held game permanently',
    'Discarded a held game',
    discardGame,
  );
  correction('games/void/', 'Void a game: it counts nowhere', 'Voided a game', voidGame);
  correction(
    'games/restore/',
    'Restore a void game: it counts again',
    'Restored a game',
    restoreGame,
  );

  app.get(
    '/api/operator/reports/',
    {
      schema: {
        ...operatorSchema('List the open reports of games, oldest first', { role: 'manager' }),
        response: { 200: reportsAnswer, ...refusals },
      },
    },
    async (request) => {
      const reach = reachOf(actorOf(request));
      const { reports, total } = await listReports(deps.db, HELD_LIST_MAX, reach);
      const results = reports.map(({ venue, reason, text, reported_at, ...game }) => ({
        ...shown(game),
        state: game.state,
        venue,
        reason,
        text,
        reported_at: reported_at.toISOString(),
      }));
      return { results, total };
    },
  );

  app.post(
    '/api/operator/reports/settle/',
    {
      schema: {
        ...operatorSchema('Settle a report: void the game, or say that it stands', {
          role: 'manager',
        }),
        body: settleBody,
        response: { 200: gameAnswer, ...refusals },
      },
    },
    async (request) => {
      const { verdict } = request.body;
      const id = request.body.game.toLowerCase();
      const actor = actorOf(request);
      const game = await audited(deps, actor, async (trx, write) => {
        const machines = await requireGame(trx, actor, id, request.body.machine);
        const settled = await settleReport({ ...deps, db: trx }, id, verdict, machines);
        await write({
          area: 'games',
          what: `Settled the report of ${settled.player ?? 'a deleted player'}: ${verdict}`,
          venue_id: settled.venue_id,
          player_id: settled.player_id,
          before: { state: settled.was },
          after: {
            state: settled.state,
            points: settled.score,
            played: settled.played_at.toISOString(),
            machine: settled.machine,
            machine_id: settled.machine_id,
            game: id,
            report: verdict,
          },
        });
        if (settled.was === 'held' && settled.state !== 'held') await notifyConsole(trx, ['held']);
        return settled;
      });
      logSecurity(request, 'game_corrected', {
        ...asLogged(actor),
        game: game.id,
        state: game.state,
        report: verdict,
      });
      return { ...shown(game), state: game.state };
    },
  );
}
