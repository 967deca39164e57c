import type { CourtSetup } from '#contract/wire/court.ts';
import { GAME_RULES, WEEK_RULES } from '../achievements/rules.ts';
import type { Database } from '../db/database.ts';
import { DEMO_EMAIL } from '../demo/demo.ts';
import { HOOPS } from '../demo/people.ts';
import type { Deps } from '../deps.ts';
import { addMachine, rotateMachine } from '../machines/machines.ts';

/** The machine of `/dev/court` (MACH-20), at a venue of the demo. */
export const COURT = { name: 'Court', venue: HOOPS[0]?.venue };

/**
 * The players are only those of the demo league, because `/dev/court` shows their codes. The demo
 * account comes first, then the others by team.
 */
export async function readSetup(db: Database): Promise<CourtSetup> {
  const rows = await db
    .selectFrom('players as p')
    .innerJoin('teams as t', 't.id', 'p.team_id')
    .select([
      'p.uuid',
      'p.username',
      'p.avatar_color',
      'p.jersey_number',
      't.name as team',
      (eb) => eb('p.email', '=', DEMO_EMAIL).as('demo_account'),
    ])
    .where('t.league_id', 'in', (eb) =>
      eb
        .selectFrom('players as d')
        .innerJoin('teams as own', 'own.id', 'd.team_id')
        .select('own.league_id')
        .where('d.email', '=', DEMO_EMAIL),
    )
    .orderBy('demo_account', 'desc')
    .orderBy('t.id')
    .orderBy((eb) => eb.fn('lower', ['p.username']))
    .execute();
  return {
    machine: COURT.name,
    players: rows.map(({ team, demo_account, ...player }) => ({
      ...player,
      username: player.username ?? '',
      team: { name: team },
      demo_account: Boolean(demo_account),
    })),
    achievements: [...GAME_RULES, ...WEEK_RULES].map(({ key, name }) => ({ key, name })),
  };
}

/**
 * A new key for the court's machine, which is added if missing. The previous key works for another
 * hour (OPS-06).
 * @throws Refusal 409 when another venue has a machine of this name.
 */
export async function issueKey(deps: Pick<Deps, 'db' | 'clock' | 'config'>): Promise<string> {
  const own = await deps.db
    .selectFrom('machines as m')
    .innerJoin('venues as v', 'v.id', 'm.venue_id')
    .select('m.id')
    .where('m.name', '=', COURT.name)
    .where('v.name', '=', COURT.venue ?? '')
    .executeTakeFirst();
  const machine = own ? await rotateMachine(deps, COURT.name) : await addMachine(deps, COURT);
  return machine.key;
}
