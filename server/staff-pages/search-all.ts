import { type RawBuilder, sql } from 'kysely';
import { FOUND_OF_KIND } from '#contract/rules/players.ts';
import type { Found } from '#contract/wire/search.ts';
import type { Database } from '../db/database.ts';
import type { Actor } from '../staff/actor.ts';
import { hasRole, policyOf } from '../staff/policy.ts';
import { searchPlayers } from './search.ts';

/** SQL: the rows of `from` that have `text` in `name`; names that begin with it come first. */
function named(
  text: string,
  kind: Found['kind'],
  [id, name, about]: [string, string, string],
  from: RawBuilder<unknown>,
  reached: RawBuilder<boolean>,
) {
  const at = sql`position(lower(${text}) in lower(${sql.ref(name)}))`;
  return sql`(select ${kind}::text as kind, ${sql.ref(id)}::text as id, ${sql.ref(name)} as name,
      ${sql.ref(about)} as about
    from ${from} where ${at} > 0 and ${reached}
    order by ${at} > 1, lower(${sql.ref(name)}), ${sql.ref(id)} limit ${FOUND_OF_KIND})`;
}

/**
 * Searches names for `text`. Returns at most FOUND_OF_KIND of each kind that `actor` may see
 * (STAFF-02). Floor staff find only machines, because they may open no other page (HAND-C12).
 * Players are also found by address or code (OPS-18).
 */
export async function searchAll(db: Database, text: string, actor: Actor): Promise<Found[]> {
  const reached = policyOf(actor);
  const machines = named(
    text,
    'machine',
    ['m.id', 'm.name', 'v.name'],
    sql`machines m left join venues v on v.id = m.venue_id`,
    reached.venue(sql.ref('m.venue_id')),
  );
  if (!hasRole(actor, 'manager')) return (await sql<Found>`${machines}`.execute(db)).rows;
  const teams = named(
    text,
    'team',
    ['t.id', 't.name', 'l.name'],
    sql`teams t join leagues l on l.id = t.league_id`,
    reached.league(sql.ref('t.league_id')),
  );
  const leagues = named(
    text,
    'league',
    ['l.id', 'l.name', 'v.name'],
    sql`leagues l left join venues v on v.id = l.venue_id`,
    reached.league(sql.ref('l.id')),
  );
  const screens = named(
    text,
    'screen',
    ['s.id', 's.name', 'v.name'],
    sql`screens s join venues v on v.id = s.venue_id`,
    reached.screen(sql.ref('s.venue_id')),
  );
  const [players, others] = await Promise.all([
    searchPlayers(db, text, actor),
    sql<Found>`${teams} union all ${machines} union all ${leagues} union all ${screens}`.execute(
      db,
    ),
  ]);
  return [
    ...players.results.slice(0, FOUND_OF_KIND).map(({ id, username, team }) => {
      return { kind: 'player' as const, id, name: username, about: team };
    }),
    ...others.rows,
  ];
}
