import { type RawBuilder, sql } from 'kysely';
import { LAST_AWAY, LAST_GAMES } from '#contract/rules/machines.ts';
import type { MachinePage } from '#contract/wire/machines.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { judgeGame, keyOf, SEASON_OF_GAME } from '../games/history.ts';
import { readWeeks } from '../leagues/player-weeks.ts';
import { type Fate, tallyWeek } from '../leagues/tally.ts';
import { NEWEST_FIRST } from '../machines/keys.ts';
import { GAMES_HERE, lastHere } from '../machines/machines.ts';
import { type MachineView, viewMachines } from '../machines/overview.ts';
import { SILENT_MS } from '../machines/state.ts';
import { openNight, wasOpen } from '../venues/hours.ts';
import { barsOf, nextChange, nightOfAll, readCards } from './tonight.ts';

type GameRow = Pick<
  Schema['games'],
  'machine_id' | 'id' | 'seq' | 'player_id' | 'score' | 'played_at' | 'state' | 'outside' | 'week'
> & {
  paused: boolean;
  off_season: boolean;
  username: string | null;
  avatar_color: string | null;
  jersey_number: string | null;
  team: string | null;
};

async function readLastGames(db: Database, machineId: number): Promise<MachinePage['games']> {
  const { rows } = await sql<GameRow>`
    select g.machine_id, g.id, g.seq, g.player_id, g.score, g.played_at, g.state, g.outside, g.week,
      p.username, p.avatar_color, p.jersey_number, t.name as team, ${SEASON_OF_GAME}
    from machines m cross join lateral ${lastHere(LAST_GAMES)} g
    left join players p on p.id = g.player_id left join teams t on t.id = g.team_id
    where m.id = ${machineId} order by g.played_at desc`.execute(db);
  const weeks = new Map(
    rows.flatMap(({ player_id, week, state }) =>
      week === null || state !== 'counted'
        ? []
        : [[`${player_id} ${week}`, { player_id, week }] as const],
    ),
  );
  const fates = new Map(
    (await readWeeks(db, [...weeks.values()])).flatMap(({ games }) =>
      [...tallyWeek(games).fates].map(([game, fate]): [string, Fate] => [keyOf(game), fate]),
    ),
  );
  return rows.map((row) => ({
    game: String(row.seq),
    played_at: row.played_at.toISOString(),
    score: row.score,
    player:
      row.username === null || row.avatar_color === null || row.jersey_number === null
        ? null
        : {
            id: String(row.player_id),
            username: row.username,
            avatar_color: row.avatar_color,
            jersey_number: row.jersey_number,
          },
    team: row.team,
    counts: judgeGame(row, fates).counts,
    state: row.state,
  }));
}

async function readAway(db: Database, { id, opening }: MachineView): Promise<MachinePage['away']> {
  const rows = await db
    .selectFrom('machine_away')
    .select(['gone_at', 'back_at'])
    .where('machine_id', '=', id)
    .orderBy('gone_at', 'desc')
    .limit(LAST_AWAY)
    .execute();
  return rows.map(({ gone_at, back_at }) => ({
    from: gone_at.toISOString(),
    to: back_at.toISOString(),
    closed: !wasOpen(opening, gone_at, back_at, SILENT_MS),
  }));
}

async function readKeys(db: Database, machineId: number): Promise<MachinePage['keys']> {
  const rows = await db
    .selectFrom('machine_keys')
    .select(['id', 'created_at', 'last_used_at', 'expires_at'])
    .where('machine_id', '=', machineId)
    .orderBy(NEWEST_FIRST)
    .execute();
  return rows.map(({ id, created_at, last_used_at, expires_at }) => ({
    id,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
    ends_at: expires_at?.toISOString() ?? null,
  }));
}

/** The number of a machine's held games (GAME-14). `reached`: a condition on rows `g` of games. */
export async function countHeld(
  db: Database,
  machineId: number,
  reached: RawBuilder<boolean>,
): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select count(*) as held from games g
    where g.machine_id = ${machineId} and g.state = 'held' and ${reached}`.execute(db);
  return rows[0]?.held ?? 0;
}

/**
 * The console's page of a machine (MACH-17).
 * @throws Error when no machine has this id.
 */
export async function readMachinePage(
  deps: Pick<Deps, 'db' | 'clock'>,
  machineId: number,
): Promise<Omit<MachinePage, 'mails_to' | 'held'>> {
  const { db, clock } = deps;
  const now = clock.now();
  const [view] = await viewMachines(deps, sql<boolean>`m.id = ${machineId}`);
  if (view === undefined) throw new Error(`there is no machine ${machineId}`);
  const night = nightOfAll([view], now);
  const [machine] = await readCards(deps, [view], night);
  if (machine === undefined) throw new Error('a machine has a card');
  const { rows } = await sql<{ players: number; held: number }>`
    select count(distinct player_id) as players, count(*) filter (where state = 'held') as held
    from machines m cross join lateral ${GAMES_HERE} g where m.id = ${machineId}
      and played_at >= ${night.opens} and played_at < ${barsOf(night, now).end}
      and state in ('counted', 'held')`.execute(db);
  const { players = 0, held = 0 } = rows[0] ?? {};
  return {
    server_time: now.toISOString(),
    until: nextChange([view]),
    machine,
    night: {
      opens: night.opens.toISOString(),
      open: openNight(view.opening, now) !== null,
      players,
      held,
    },
    games: await readLastGames(db, machineId),
    away: await readAway(db, view),
    keys: await readKeys(db, machineId),
  };
}
