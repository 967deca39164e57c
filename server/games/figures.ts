import { sql } from 'kysely';
import { FIGURES_GAMES } from '#contract/rules/games.ts';
import type { Figures } from '#contract/wire/games.ts';
import type { Deps } from '../deps.ts';
import { addDays, weekOf } from '../leagues/calendar.ts';

/** Below these numbers a figure is hidden. */
const [SHOOTING_LEAST, LAST_FIVE_LEAST, WEEKS_LEAST, MACHINES_LEAST] = [5, 10, 3, 2];
const [WEEKS, MACHINES_MOST, LAST] = [8, 5, 5];

export type FigureGame = {
  score: number;
  played_at: Date;
  machine_id: number;
  machine: string;
  venue: string | null;
  shots_made: number | null;
  shots_attempted: number | null;
};

/** `sum / count`, rounded half up to a whole number. */
const mean = (sum: number, count: number) => Math.floor((2 * sum + count) / (2 * count));
const total = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0);

/** Leaves out games with more shots made than attempted: such a machine is faulty (HAND-73). */
function shootingOf(games: readonly FigureGame[]): Figures['shooting'] {
  const both = games.flatMap(({ shots_made: made, shots_attempted: tried }) =>
    made !== null && tried !== null && tried > 0 && made <= tried ? [{ made, tried }] : [],
  );
  if (both.length < SHOOTING_LEAST) return null;
  return {
    made: total(both.map(({ made }) => made)),
    tried: total(both.map(({ tried }) => tried)),
    games: both.length,
  };
}

function lastFiveOf(
  games: readonly FigureGame[],
  all: { games: number; sum: number },
): Figures['last_five'] {
  if (games.length < LAST_FIVE_LEAST) return null;
  const sum = total(games.slice(0, LAST).map(({ score }) => score));
  const apart = sum / LAST - all.sum / all.games;
  const size = Math.abs(apart) <= 0.5 ? 0 : Math.floor(Math.abs(apart) + 0.5);
  return { average: mean(sum, LAST), over: apart < 0 ? 0 - size : size };
}

function weeksOf(games: readonly FigureGame[], zone: string, now: Date): Figures['weeks'] {
  const running = weekOf(now, zone);
  const scores = new Map<string, number[]>(
    Array.from({ length: WEEKS }, (_, at) => [addDays(running, 7 * (at - WEEKS + 1)), []]),
  );
  for (const { score, played_at } of games) scores.get(weekOf(played_at, zone))?.push(score);
  const weeks = [...scores].map(([from, own]) => ({
    from,
    games: own.length,
    average: own.length === 0 ? null : mean(total(own), own.length),
  }));
  return weeks.filter((week) => week.games > 0).length < WEEKS_LEAST ? [] : weeks;
}

function machinesOf(games: readonly FigureGame[]): Figures['machines'] {
  const machines = new Map<number, FigureGame & { games: number }>();
  // Newest first, so the last of equal scores is the earliest.
  for (const game of games) {
    const known = machines.get(game.machine_id);
    const best = known === undefined || game.score >= known.score ? game : known;
    machines.set(game.machine_id, { ...best, games: (known?.games ?? 0) + 1 });
  }
  if (machines.size < MACHINES_LEAST) return [];
  return [...machines.values()]
    .sort((a, b) => b.score - a.score || a.played_at.getTime() - b.played_at.getTime())
    .slice(0, MACHINES_MOST)
    .map(({ machine, venue, score, games: played }) => ({
      machine,
      venue,
      best: score,
      games: played,
    }));
}

/**
 * The figures of a player (HAND-80 to HAND-83). `games`: the newest counted ones, newest first.
 * `all`: number and sum of all counted games. `zone`: the IANA zone of the weeks.
 */
export function figuresOf(
  games: readonly FigureGame[],
  { all, zone, now }: { all: { games: number; sum: number }; zone: string; now: Date },
): Figures {
  return {
    shooting: shootingOf(games),
    last_five: lastFiveOf(games, all),
    weeks: weeksOf(games, zone, now),
    machines: machinesOf(games),
  };
}

/**
 * Reads the figures of a player from one range of an index. Their weeks are in the league's zone,
 * otherwise in that of the newest game's venue, otherwise in UTC (HAND-82).
 */
export async function readPlayerFigures(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  playerId: number,
): Promise<Figures> {
  const { rows } = await sql<FigureGame & { zone: string | null }>`
    select g.score, g.played_at, g.machine_id, g.shots_made, g.shots_attempted,
      m.name as machine, v.name as venue, v.timezone as zone
    from (
      select * from games where player_id = ${playerId} and state = 'counted'
      order by played_at desc, id desc limit ${FIGURES_GAMES}
    ) g
    join machines m on m.id = g.machine_id
    left join venues v on v.id = g.venue_id
    order by g.played_at desc, g.id desc`.execute(db);
  const player = await db
    .selectFrom('players as p')
    .leftJoin('player_stats as s', 's.player_id', 'p.id')
    .leftJoin('teams as t', 't.id', 'p.team_id')
    .leftJoin('leagues as l', 'l.id', 't.league_id')
    .select(['s.games_played', 's.score_sum', 'l.timezone'])
    .where('p.id', '=', playerId)
    .executeTakeFirst();
  return figuresOf(rows, {
    all: { games: player?.games_played ?? 0, sum: Number(player?.score_sum ?? 0) },
    zone: player?.timezone ?? rows[0]?.zone ?? 'UTC',
    now: clock.now(),
  });
}
