import type { Deps } from '../deps.ts';
import type { App } from '../http/scope.ts';
import { allowKeyOrStaff, type RequireStaff } from '../staff/authenticate.ts';
import { register } from './command.ts';
import { contests } from './contests.ts';
import { cups } from './cups.ts';
import { games } from './games.ts';
import { leagues } from './leagues.ts';
import { machines } from './machines.ts';
import { players } from './players.ts';
import { push } from './push.ts';
import { screens } from './screens.ts';
import { seasons } from './seasons.ts';
import { auditLines, staff } from './staff.ts';
import { system } from './system.ts';
import { teams } from './teams.ts';
import { upkeepRoutes } from './upkeep.ts';
import { alerts, venues } from './venues.ts';

/** What the command line and the console can do (OPS-01): a table for each noun. */
const NOUNS = [
  venues,
  alerts,
  machines,
  screens,
  leagues,
  teams,
  seasons,
  contests,
  cups,
  games,
  players,
  staff,
  auditLines,
  system,
  push,
];

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
  register(app, deps, NOUNS);
  upkeepRoutes(app, deps);
}
