import type { Deps } from '../deps.ts';
import type { App } from '../http/scope.ts';
import { allowKeyOrStaff, type RequireStaff } from '../staff/authenticate.ts';
import { alertCommands } from './alert-routes.ts';
import { gameCommands } from './game-routes.ts';
import { leagueCommands } from './league-routes.ts';
import { machineCommands } from './machine-routes.ts';
import { playerCommands } from './player-routes.ts';
import { scheduleCommands } from './schedule-routes.ts';
import { screenCommands } from './screen-routes.ts';
import { staffCommands } from './staff-routes.ts';
import { systemRoutes } from './system-routes.ts';
import { teamCommands } from './team-routes.ts';
import { tonightRoutes } from './tonight-routes.ts';
import { upkeepCommands } from './upkeep.ts';
import { venueCommands } from './venue-routes.ts';

/** The operator's API (OPS-01). */
export function operatorRoutes(
  app: App,
  deps: Pick<
    Deps,
    'config' | 'db' | 'anonymous' | 'pool' | 'clock' | 'log' | 'mail' | 'fromReplica'
  >,
  requireStaff: RequireStaff,
): void {
  allowKeyOrStaff(app, deps, requireStaff);
  venueCommands(app, deps);
  alertCommands(app, deps);
  tonightRoutes(app, deps);
  machineCommands(app, deps);
  screenCommands(app, deps);
  leagueCommands(app, deps);
  teamCommands(app, deps);
  scheduleCommands(app, deps);
  gameCommands(app, deps);
  playerCommands(app, deps);
  staffCommands(app, deps);
  systemRoutes(app, deps);
  upkeepCommands(app, deps);
}
