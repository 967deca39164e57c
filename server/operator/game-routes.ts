import { gameAnswer, gameRef, HELD_LIST_MAX, heldAnswer } from '#contract/operator.ts';
import type { Deps } from '../deps.ts';
import {
  discardGame,
  type GameState,
  listHeld,
  releaseGame,
  restoreGame,
  voidGame,
} from '../games/corrections.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { operatorSchema, refusals } from './schema.ts';

const shown = ({ id, machine, player, score, played_at }: GameState) => ({
  id,
  machine,
  player,
  score,
  played_at: played_at.toISOString(),
});

/** The routes of the commands `held …` and `game …`. */
export function gameCommands(app: App, deps: Pick<Deps, 'db'>): void {
  app.get(
    '/api/operator/held/',
    {
      schema: {
        ...operatorSchema('List the held games, oldest first'),
        response: { 200: heldAnswer, ...refusals },
      },
    },
    async () => {
      const { games, total } = await listHeld(deps, HELD_LIST_MAX);
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

  /** Adds a route that changes the state of a game. */
  function correction(
    path: string,
    summary: string,
    change: (deps: Pick<Deps, 'db'>, id: string) => Promise<GameState>,
  ): void {
    app.post(
      `/api/operator/${path}`,
      {
        schema: {
          ...operatorSchema(summary),
          body: gameRef,
          response: { 200: gameAnswer, ...refusals },
        },
      },
      async (request) => {
        const game = await change(deps, request.body.game.toLowerCase());
        logSecurity(request, 'game_corrected', {
          actor: 'operator',
          game: game.id,
          state: game.state,
        });
        return { ...shown(game), state: game.state };
      },
    );
  }
  correction('held/release/', 'Accept a held game: it then counts', releaseGame);
  correction('held/discard/', 'Discard a held game permanently', discardGame);
  correction('games/void/', 'Void a game: it counts nowhere', voidGame);
  correction('games/restore/', 'Restore a void game: it counts again', restoreGame);
}
