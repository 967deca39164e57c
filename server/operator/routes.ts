import type { Deps } from '../deps.ts';
import { requireOperator } from '../http/operator-key.ts';
import type { App } from '../http/scope.ts';
import { gameCommands } from './game-routes.ts';
import { leagueCommands } from './league-routes.ts';
import { machineCommands } from './machine-routes.ts';
import { playerCommands } from './player-routes.ts';
import { upkeepCommands } from './upkeep.ts';

/** The operator's side of the API (contract 5): every call needs the operator key. */
export function operatorRoutes(app: App, deps: Deps): void {
  app.addHook('onRequest', requireOperator(deps.config));
  machineCommands(app, deps);
  leagueCommands(app, deps);
  gameCommands(app, deps);
  playerCommands(app, deps);
  upkeepCommands(app, deps);
}
