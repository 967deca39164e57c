import type { Deps } from '../deps.ts';
import { requireOperator } from '../http/operator-key.ts';
import type { App } from '../http/scope.ts';
import { gameCommands } from './game-routes.ts';
import { leagueCommands } from './league-routes.ts';
import { machineCommands } from './machine-routes.ts';
import { playerCommands } from './player-routes.ts';
import { upkeepCommands } from './upkeep.ts';

/** The operator's API. Every request needs the operator key (OPS-01). */
export function operatorRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'pool' | 'clock' | 'log' | 'mail'>,
): void {
  app.addHook('onRequest', requireOperator(deps.config));
  machineCommands(app, deps);
  leagueCommands(app, deps);
  gameCommands(app, deps);
  playerCommands(app, deps);
  upkeepCommands(app, deps);
}
