import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';
import { pipelined, type Queryable } from '../db/transaction.ts';
import { BETTER_RULE, type CareerGame, career, DAYS_RULE, newlyWon } from './rules.ts';

/** A counted game, or one about to be stored. */
export type PlayerGame = CareerGame & { machine_id: number; player_id: number };

export type Won = {
  player_id: number;
  key: string;
  unlocked_at: Date;
  machine_id: number;
  game_id: string;
};

/** A player's figures and achievements before a batch of games. */
export type PlayerBefore = {
  player_id: number;
  games_played: number;
  highscore: number;
  won: readonly string[];
};

const DAY_MS = 24 * 3_600_000;

type Careers = {
  around: Map<number, Pick<PlayerGame, 'id' | 'score' | 'played_at'>[]>;
  days: Map<number, string[]>;
};

/**
 * Reads what is stored around the new `games`: counted games if the player lacks the achievement
 * `BETTER_RULE`, and days with counted games if the player lacks `DAYS_RULE`.
 */
export async function readCareers(
  trx: Queryable,
  games: readonly Pick<PlayerGame, 'player_id' | 'played_at' | 'id'>[],
): Promise<Careers> {
  const [around, days] = await pipelined(trx, [
    (on) => readAround(on, games),
    (on) => readDays(on, games),
  ]);
  return {
    around: Map.groupBy(around, ({ player_id }) => player_id),
    days: new Map(days.map(({ player_id, days }) => [player_id, days])),
  };
}

const lacks = (key: string) => sql`not exists (
  select 1 from player_achievements a where a.player_id = r.player_id and a.key = ${key})`;

async function readAround(
  trx: Queryable,
  games: readonly Pick<PlayerGame, 'player_id' | 'played_at' | 'id'>[],
) {
  const asked = recordset(
    games.map(({ player_id, played_at, id }) => ({ player_id, played_at, id })),
    'player_id bigint, played_at timestamptz, id uuid',
  );
  const { rows } = await sql<Pick<PlayerGame, 'player_id' | 'id' | 'score' | 'played_at'>>`
    select distinct r.player_id, g.machine_id, g.id, g.score, g.played_at
    from ${asked}
    cross join lateral (
      (select * from games g
        where g.player_id = r.player_id and (g.played_at, g.id) < (r.played_at, r.id)
          and g.state = 'counted'
        order by g.played_at desc, g.id desc limit ${sql.lit(BETTER_RULE.need)})
      union all
      (select * from games g
        where g.player_id = r.player_id and (g.played_at, g.id) > (r.played_at, r.id)
          and g.state = 'counted'
        order by g.played_at, g.id limit ${sql.lit(BETTER_RULE.need)})
    ) g
    where ${lacks(BETTER_RULE.key)}`.execute(trx);
  return rows;
}

async function readDays(
  trx: Queryable,
  games: readonly Pick<PlayerGame, 'player_id' | 'played_at'>[],
) {
  const spans = [...Map.groupBy(games, ({ player_id }) => player_id)].map(([player_id, own]) => {
    const times = own.map(({ played_at }) => played_at.getTime());
    // Three days more, because a move to another league may have changed the player's time zone.
    const margin = (DAYS_RULE.need - 1 + 3) * DAY_MS;
    return {
      player_id,
      from: new Date(Math.min(...times) - margin),
      to: new Date(Math.max(...times) + margin),
    };
  });
  const { rows } = await sql<{ player_id: number; days: string[] }>`
    select r.player_id, array_agg(distinct g.day::text) as days
    from ${recordset(spans, 'player_id bigint, "from" timestamptz, "to" timestamptz')}
    join games g on g.player_id = r.player_id and g.played_at between r."from" and r."to"
    where g.state = 'counted' and ${lacks(DAYS_RULE.key)}
    group by r.player_id`.execute(trx);
  return rows;
}

/**
 * What new games win (GAME-09). `games` are in the order of recording. `players`, `careers` and
 * `weeks` have the state before these games.
 */
export function winnings(
  games: readonly PlayerGame[],
  players: ReadonlyMap<number, PlayerBefore>,
  careers: Careers,
  weeks: readonly { player_id: number; week: string; before: number }[],
): Won[] {
  const weeksOf = Map.groupBy(weeks, ({ player_id }) => player_id);
  return [...Map.groupBy(games, ({ player_id }) => player_id)].flatMap(([player_id, own]) => {
    const before = players.get(player_id);
    return replay(
      own,
      career({
        games_played: before?.games_played ?? 0,
        highscore: before?.highscore ?? 0,
        games: careers.around.get(player_id) ?? [],
        days: careers.days.get(player_id) ?? [],
        weeks: new Map((weeksOf.get(player_id) ?? []).map(({ week, before }) => [week, before])),
      }),
      before?.won ?? [],
    );
  });
}

function replay(
  games: readonly PlayerGame[],
  { add }: ReturnType<typeof career>,
  already: readonly string[],
): Won[] {
  const keys = new Set(already);
  return games.flatMap((game) =>
    newlyWon(add(game), keys).map((key) => {
      keys.add(key);
      const { player_id, machine_id, id, played_at } = game;
      return { player_id, key, unlocked_at: played_at, machine_id, game_id: id };
    }),
  );
}

const WON = 'player_id bigint, key text, unlocked_at timestamptz, machine_id integer, game_id uuid';

/** Stores achievements of stored games. The caller must hold the players' locks. */
export async function storeWon(trx: Queryable, won: readonly Won[]): Promise<void> {
  if (won.length === 0) return;
  await sql`
    insert into player_achievements (player_id, key, unlocked_at, machine_id, game_id)
    select player_id, key, unlocked_at, machine_id, game_id from ${recordset(won, WON)}`.execute(
    trx,
  );
}

/**
 * Makes players' achievements match `games`, all their counted games in the order of arrival.
 * Returns how many rows changed. The caller must hold the players' locks.
 */
export async function rebuildAchievements(
  trx: Database,
  playerIds: readonly number[],
  games: readonly PlayerGame[],
): Promise<number> {
  const won = [...Map.groupBy(games, ({ player_id }) => player_id)].flatMap(([, own]) =>
    replay(own, career(), []),
  );
  const { rows } = await sql<{ changed: number }>`
    with fresh as materialized (select * from ${recordset(won, WON)}), gone as (
      delete from player_achievements a
      where a.player_id = any(${playerIds}::bigint[]) and not exists (
        select 1 from fresh f where f.player_id = a.player_id and f.key = a.key)
      returning 1
    ), put as (
      insert into player_achievements as a (player_id, key, unlocked_at, machine_id, game_id)
      select f.player_id, f.key, f.unlocked_at, f.machine_id, f.game_id
      from fresh f join players p on p.id = f.player_id
      on conflict (player_id, key) do update set unlocked_at = excluded.unlocked_at,
        machine_id = excluded.machine_id, game_id = excluded.game_id
      where (a.unlocked_at, a.machine_id, a.game_id) is distinct from
        (excluded.unlocked_at, excluded.machine_id, excluded.game_id)
      returning 1
    )
    select (select count(*) from gone) + (select count(*) from put) as changed`.execute(trx);
  return rows[0]?.changed ?? 0;
}
