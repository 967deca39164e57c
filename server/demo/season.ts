import { addDays, dayOf, startOf, weekOf } from '../leagues/calendar.ts';
import { tallyWeek } from '../leagues/tally.ts';
import { HOOPS, type Person } from './people.ts';

/** The current week is the season's fifth. */
export const WEEKS_BEFORE = 4;
const SEED = 20_210_727;

const MINUTE_MS = 60_000;
const OPENS = 9 * 60;
const CLOSES = 23 * 60;
/** How many points the demo team trails by: one more good game puts it in the lead. */
const BEHIND = 40;

/** `player` is an index into the seats, `machine` into HOOPS. */
export type Play = {
  id: string;
  player: number;
  machine: number;
  score: number;
  played_at: Date;
  duration_s: number;
  shots_made: number;
  shots_attempted: number;
};

/** `team` is an index into TEAMS. */
export type Seat = Person & { team: number; league_mode: boolean };

/** When `player`, an index into the seats, has league mode off. */
export type Pause = { player: number; from: Date; to: Date };

// --- Seeded random numbers --------------------------------------------------------------------

type Random = () => number;

/** A xorshift32 generator of numbers ≥ 0 and < 1. */
export function seeded(seed: number): Random {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export function seededUuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
  hex[12] = '4';
  hex[16] = '89ab'[Math.floor(random() * 4)] ?? '8';
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const whole = (random: Random, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1));

/** An approximately normal random number, with mean 0 and standard deviation 1. */
const normal = (random: Random) =>
  Array.from({ length: 6 }, random).reduce((sum, one) => sum + one, -3) * Math.SQRT2;

// --- Times --------------------------------------------------------------------------------------

/** Time zones in the order in which their weeks begin. */
const ZONES = ['Europe/London', 'America/Los_Angeles', 'Pacific/Honolulu'];
const ENOUGH_MS = 10 * 60 * MINUTE_MS;

/** The first of ZONES whose week is at least ten hours old, so that it has games. */
export function demoZone(now: Date): string {
  const london = ZONES[0] ?? 'UTC';
  const since = (zone: string) => now.getTime() - startOf(weekOf(now, zone), zone).getTime();
  return ZONES.find((zone) => since(zone) >= ENOUGH_MS) ?? london;
}

function openings(monday: string, zone: string, now: Date): Opening[] {
  return Array.from({ length: 7 }, (_, at) => {
    const midnight = startOf(addDays(monday, at), zone).getTime();
    return {
      from: midnight + OPENS * MINUTE_MS,
      to: Math.min(midnight + CLOSES * MINUTE_MS, now.getTime() - 10 * MINUTE_MS),
    };
  }).filter(({ from, to }) => to > from);
}

type Opening = { from: number; to: number };

function moment(random: Random, open: Opening[]): number {
  const { from, to } = open[Math.floor(random() * open.length)] ?? { from: 0, to: 0 };
  return from + Math.max(random(), random()) * (to - from);
}

/** A week with less opening time than this has fewer games. */
const BUSY_MS = 4 * 60 * MINUTE_MS;

/** The share of a week's games to plan for these hours, 0 to 1. */
const share = (open: Opening[]) =>
  Math.min(1, open.reduce((sum, { from, to }) => sum + to - from, 0) / BUSY_MS);

// --- Games --------------------------------------------------------------------------------------

type Visit = { player: number; week: number; at: number; games: number };

function visits(
  random: Random,
  player: number,
  week: number,
  games: number,
  open: Opening[],
): Visit[] {
  if (open.length === 0) return [];
  const all: Visit[] = [];
  for (let left = games; left > 0; ) {
    const now = Math.min(left, whole(random, 1, 4));
    all.push({ player, week, at: moment(random, open), games: now });
    left -= now;
  }
  return all;
}

/**
 * The demo account's visits this week, in the first third of each day. They have six games, or four
 * early in the week, so that some of the eight league games are left.
 */
function demoVisits(random: Random, open: Opening[]): Visit[] {
  const early = open.map(({ from, to }) => ({ from, to: from + (to - from) / 3 }));
  const games = share(open) < 1 ? 4 : 6;
  return visits(random, 0, WEEKS_BEFORE, games, early);
}

/** Plays the visits. Games of one player or on one machine never overlap. */
function play(random: Random, seats: Seat[], all: Visit[], end: number): (Play & Visit)[] {
  const machineFree = HOOPS.map(() => 0);
  const playerFree = seats.map(() => 0);
  const form = seats.map(() => 1);
  return all
    .sort((a, b) => a.at - b.at)
    .flatMap((visit) => {
      const { player } = visit;
      const seat = seats[player];
      if (seat === undefined) return [];
      // The last two teams play mostly at Station Bowl.
      const station = seat.team >= 4 !== random() < 0.2;
      const machines = HOOPS.flatMap(({ venue }, at) =>
        (venue === 'Station Bowl') === station ? at : [],
      );
      const machine = machines.toSorted((a, b) => (machineFree[a] ?? 0) - (machineFree[b] ?? 0))[0];
      if (machine === undefined) return [];
      let time = Math.max(visit.at, machineFree[machine] ?? 0, playerFree[player] ?? 0);
      form[player] = 0.7 * (form[player] ?? 1) + 0.3 * (1 + 0.12 * normal(random));
      const plays: (Play & Visit)[] = [];
      for (let nth = 0; nth < visit.games; nth += 1) {
        const duration_s = whole(random, 45, 75);
        if (time + duration_s * 1000 > end) break;
        // Players improve by week, and tire by game.
        const mean = seat.skill * (form[player] ?? 1) * (1 + 0.02 * visit.week) * (1 - 0.025 * nth);
        const score = Math.max(40, Math.round(mean * (1 + 0.16 * normal(random))));
        const id = seededUuid(random);
        const played_at = new Date(Math.round(time));
        plays.push({
          ...visit,
          id,
          machine,
          score,
          played_at,
          duration_s,
          ...shots(random, score),
        });
        time += duration_s * 1000 + whole(random, 60, 200) * 1000;
      }
      machineFree[machine] = time;
      playerFree[player] = time;
      return plays;
    });
}

function shots(random: Random, score: number): { shots_made: number; shots_attempted: number } {
  const shots_made = Math.round(score / 9);
  return { shots_made, shots_attempted: Math.round(shots_made / (0.45 + 0.3 * random())) };
}

function total(plays: (Play & Visit)[], seats: Seat[], team: number): number {
  const own = plays.filter(({ week, player }) => {
    const seat = seats[player];
    return week === WEEKS_BEFORE && seat?.team === team && seat.league_mode;
  });
  return [...Map.groupBy(own, ({ player }) => player).values()]
    .flatMap((games) => tallyWeek(games.map((game) => ({ ...game, team_id: team }))).shares)
    .reduce((sum, share) => sum + share.total, 0);
}

/**
 * Plans five weeks' games up to `now`. The first seat is the demo account; in the fifth week its
 * team is slightly behind `rival`. Deterministic.
 */
export function planSeason(
  seats: Seat[],
  rival: number,
  zone: string,
  now: Date,
): { plays: Play[]; pause: Pause | null } {
  const random = seeded(SEED);
  const current = weekOf(now, zone);
  const all = Array.from({ length: WEEKS_BEFORE + 1 }, (_, week) => {
    const open = openings(addDays(current, 7 * (week - WEEKS_BEFORE)), zone, now);
    return seats.flatMap(({ games: [least, most] }, player) => {
      const games = Math.max(1, Math.round(whole(random, least, most) * share(open)));
      return player === 0 && week === WEEKS_BEFORE
        ? demoVisits(random, open)
        : visits(random, player, week, games, open);
    });
  });
  const plays = play(random, seats, all.flat(), now.getTime() - MINUTE_MS);

  const wanted = total(plays, seats, 0) + BEHIND;
  const factor = wanted / (total(plays, seats, rival) || wanted);
  const adjusted = plays.map((one) => {
    if (one.week !== WEEKS_BEFORE || seats[one.player]?.team !== rival) return one;
    const score = Math.round(one.score * factor);
    return { ...one, score, ...shots(random, score) };
  });
  return {
    plays: [...adjusted, ...implausible(random, adjusted)].map(
      ({ week: _, at: __, games: ___, ...one }) => one,
    ),
    pause: pauseOf(adjusted),
  };
}

/** A pause of league mode around the demo account's last visit of the previous week, or null. */
function pauseOf(plays: (Play & Visit)[]): Pause | null {
  const last = plays.findLast(({ player, week }) => player === 0 && week === WEEKS_BEFORE - 1);
  const visit = plays.filter(({ player, at }) => player === 0 && at === last?.at);
  const [first] = visit;
  if (first === undefined || last === undefined) return null;
  return {
    player: 0,
    from: new Date(first.played_at.getTime() - 1000),
    to: new Date(last.played_at.getTime() + 1000),
  };
}

/** A game that will be held because it overlaps a real one on another machine, or none. */
function implausible(random: Random, plays: (Play & Visit)[]): (Play & Visit)[] {
  const real = plays.find(
    ({ player, week, machine }) => player === 0 && week === WEEKS_BEFORE - 1 && machine < 3,
  );
  if (real === undefined) return [];
  const played_at = new Date(real.played_at.getTime() + 15_000);
  return [{ ...real, id: seededUuid(random), machine: 4, score: real.score + 87, played_at }];
}

/** Groups games into one report for each machine and day. */
export function reportsOf(plays: Play[], zone: string): Play[][] {
  const groups = Map.groupBy(
    plays,
    ({ machine, played_at }) => `${dayOf(played_at, zone)} ${machine}`,
  );
  return [...groups.keys()].sort().map((key) => groups.get(key) ?? []);
}
