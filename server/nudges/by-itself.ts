import { sql } from 'kysely';
import { NUDGE_UNTIL_MS } from '#contract/rules/nudges.ts';
import { recordset } from '../db/recordset.ts';
import type { Deps } from '../deps.ts';
import { isCounting, SEASON_OF_ROW, type SeasonOfRow } from '../leagues/season-of-week.ts';
import { OPPONENT } from '../leagues/team-week.ts';
import { CHANCES, chancesOf, GAP, turningGain } from '../leagues/turning.ts';
import { hourOf } from '../push/local-time.ts';
import { planNudged } from './notices.ts';

/* Automatic nudges at the end of a week (NUDGE-03). */

const LAST_MS = 36 * 3_600_000;
/** Hours on the player's clock. */
const FROM_HOUR = 12;
const UNTIL_HOUR = 20;

type TeamRow = SeasonOfRow & {
  team_id: number;
  week: string;
  timezone: string;
  gap: number;
  chances: string | null;
};

/** The teams that are not ahead in the last hours of their week, without an automatic nudge yet. */
async function readTeams({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<TeamRow[]> {
  const now = clock.now();
  const after = (ms: number) => new Date(now.getTime() + ms);
  const { rows } = await sql<TeamRow>`
    select r.team_id, r.week, r.timezone, sn.*, ${GAP} as gap, ${CHANCES} as chances
    from (
      select t.id as team_id, t.league_id, l.timezone, w.week
      from leagues l cross join lateral (
        select date_trunc('week', ${now}::timestamptz at time zone l.timezone)::date as week
      ) w join teams t on t.league_id = l.id
      where (w.week + 7)::timestamp at time zone l.timezone > ${after(NUDGE_UNTIL_MS)}
        and (w.week + 7)::timestamp at time zone l.timezone <= ${after(LAST_MS)}
        and not exists (select from players p join nudges n on n.player_id = p.id
          where p.team_id = t.id and n.week = w.week and n.sender_id is null
            and not n.by_mate)
    ) r ${SEASON_OF_ROW} ${OPPONENT}`.execute(db);
  return rows.filter((row) => row.chances !== null && isCounting(row.week, row));
}

/** The team's players with the largest gain: several if their gains are equal. */
function largest({ gap, chances }: TeamRow): { player_id: number; nudged: boolean }[] {
  const gains = [...chancesOf(chances)].map(([player_id, chance]) => ({
    player_id,
    nudged: chance.nudged,
    gain: turningGain(gap, chance) ?? 0,
  }));
  const most = Math.max(1, ...gains.map(({ gain }) => gain));
  return gains.filter(({ gain }) => gain === most);
}

/**
 * Nudges each team's player with the largest gain, between FROM_HOUR and UNTIL_HOUR, unless
 * somebody has nudged that player. If several have the largest gain, the first by name is nudged.
 * Also chooses players who take no nudges: otherwise teammates could see from their buttons who
 * takes none (NUDGE-05). Runs in one process at a time. Returns how many were nudged.
 */
export async function nudgeByThemselves(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const { db, clock } = deps;
  const asked = (await readTeams(deps)).flatMap((team) =>
    largest(team).map((one) => ({ ...one, ...team, chances: undefined })),
  );
  if (asked.length === 0) return 0;
  const now = clock.now();
  const { rows: chosen } = await sql<{
    player_id: number;
    nudged: boolean;
    week: string;
    timezone: string;
    zone: string;
  }>`
    select distinct on (r.team_id) r.player_id, r.nudged, r.week, r.timezone,
      coalesce(d.zone, r.timezone) as zone
    from ${recordset(
      asked.map(({ team_id, player_id, nudged, week, timezone }) => ({
        team_id,
        player_id,
        nudged,
        week,
        timezone,
      })),
      'team_id integer, player_id bigint, nudged boolean, week date, timezone text',
    )} join players p on p.id = r.player_id
    left join lateral (
      select zone from push_devices where player_id = p.id order by seen_at desc, id desc limit 1
    ) d on true
    order by r.team_id, lower(p.username)`.execute(db);
  const due = chosen.filter(({ nudged, zone }) => {
    const hour = hourOf(now.getTime(), zone);
    return !nudged && FROM_HOUR <= hour && hour < UNTIL_HOUR;
  });
  if (due.length === 0) return 0;
  return db.transaction().execute(async (trx) => {
    const { rows: stored } = await sql<{ player_id: number; week: string; timezone: string }>`
      with stored as (
        insert into nudges (player_id, week, at)
        select r.player_id, r.week, ${now} from ${recordset(
          due.map(({ player_id, week }) => ({ player_id, week })),
          'player_id bigint, week date',
        )} order by r.player_id
        on conflict do nothing returning player_id, week
      )
      select s.*, l.timezone from stored s join players p on p.id = s.player_id
      join teams t on t.id = p.team_id join leagues l on l.id = t.league_id`.execute(trx);
    await planNudged(trx, stored, now);
    return stored.length;
  });
}
