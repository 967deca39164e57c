import { type RawBuilder, sql } from 'kysely';
import { lastAdultBirthdate } from '#contract/rules/of-age.ts';
import type { Queryable } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { plan } from '../push/notices.ts';
import type { Teller } from '../push/planner.ts';

/* Tells a player that somebody went past them on the league's board of this week (PUSH-05). */

const HOUR_MS = 3_600_000;
/** How long a notice about a place is worth sending (PUSH-13). */
const WORTH_MS = 6 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;

type Place = { week: string; league_id: number; place: number; score: number };
type Data = Place;

/** SQL: everybody's places on this week's boards of `leagues`, a query for league ids. */
const placesIn = (leagues: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => sql`
  select b.league_id, b.week, p.id as player_id, best.score,
    rank() over (partition by b.league_id order by best.score desc)::integer as place
  from (
    select l.id as league_id, l.timezone,
      date_trunc('week', ${now}::timestamptz at time zone l.timezone)::date as week
    from leagues l where l.id in (${leagues})
  ) b
  join teams t on t.league_id = b.league_id join players p on p.team_id = t.id
  cross join lateral (
    select max(g.score) as score from games g
    where g.player_id = p.id and g.state = 'counted'
      and g.played_at >= b.week::timestamp at time zone b.timezone
      and g.played_at < (b.week + 7)::timestamp at time zone b.timezone
  ) best
  where best.score is not null`;

/**
 * Compares each place with that of the previous run, for players who have this notice switched on.
 * Plans a notice, at most one a day, for each player who is lower with the same best score. Runs in
 * one process at a time. Returns how many notices were planned.
 */
export function tellPassed({
  config,
  db,
  clock,
}: Pick<Deps, 'config' | 'db' | 'clock'>): Promise<number> {
  const now = clock.now();
  const adult = lastAdultBirthdate(config.adult_age, now);
  const ofAge = adult === null ? sql`true` : sql`p.date_of_birth <= ${adult}::date`;
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<Place & { player_id: number; before: number }>`
      with wanted as materialized (
        select s.*, t.league_id from player_push s
        join players p on p.id = s.player_id join teams t on t.id = p.team_id
        where s.passed and ${ofAge}
          and exists (select from push_devices d where d.player_id = s.player_id)
      ), places as materialized (
        select * from (${placesIn(sql`select league_id from wanted`, now)}) all_places
        where player_id in (select player_id from wanted)
      ), seen as (
        update player_push s set place = n.place, place_week = n.week,
          place_league = n.league_id, place_score = n.score
        from places n where n.player_id = s.player_id
          and (s.place, s.place_week, s.place_league, s.place_score)
            is distinct from (n.place, n.week, n.league_id, n.score)
      )
      select n.player_id, n.week, n.league_id, n.score, w.place as before, n.place
      from wanted w join places n using (player_id)
      where n.place > w.place and n.week = w.place_week and n.league_id = w.place_league
        and n.score = w.place_score and not exists (
          select from push_notices o where o.player_id = n.player_id and o.kind = 'passed'
            and o.state <> 'dropped' and o.caused_at > ${new Date(now.getTime() - DAY_MS)})`.execute(
      trx,
    );
    await plan(
      trx,
      rows.map(({ player_id, week, league_id, score, before }) => ({
        player_id,
        kind: 'passed' as const,
        subject: `board ${league_id} ${week}`,
        data: { week, league_id, score, place: before } satisfies Data,
        worth_until: new Date(now.getTime() + WORTH_MS),
      })),
      now,
    );
    return rows.length;
  });
}

async function readPlace(on: Queryable, playerId: number, now: Date): Promise<Place | undefined> {
  const league = sql`select t.league_id from players o join teams t on t.id = o.team_id
    where o.id = ${playerId}`;
  const { rows } = await sql<Place>`
    select * from (${placesIn(league, now)}) all_places where player_id = ${playerId}`.execute(on);
  return rows[0];
}

/**
 * Tells the place at the time of sending, or nothing if the player has regained the former place
 * (PUSH-16).
 */
export const passedTeller: Teller = {
  rank: () => 6,
  words: async ({ db, clock }, { player_id, data }) => {
    const before = data as Data;
    const now = await readPlace(db, player_id, clock.now());
    if (
      now === undefined ||
      now.week !== before.week ||
      now.league_id !== before.league_id ||
      now.score !== before.score ||
      now.place <= before.place
    )
      return null;
    return {
      title: `Place ${now.place.toLocaleString('en')} this week`,
      body: `Somebody in your league went past your ${now.score.toLocaleString('en')}.`,
      path: '/leaderboard',
    };
  },
};
