/** ≥ 0 and < 1. */
export type Random = () => number;

/** Mulberry32: the same seed gives the same numbers. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const between = (random: Random, low: number, high: number) => low + random() * (high - low);
const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** Skill and stamina are from 0 to 1; `tempo` is the average time between shots, in seconds. */
export type Person = {
  code: string;
  name: string;
  /** The share of shots that go in, on an ordinary day. */
  readonly skill: number;
  readonly tempo: number;
  readonly stamina: number;
  /** −0.15 to 0.15. It drifts between visits. */
  form: number;
  /** 0 (fresh) to 1 (exhausted). */
  fatigue: number;
};

export type Played = {
  score: number;
  duration_s: number;
  shots_made: number;
  shots_attempted: number;
};

export const GAME_S = 45;
/** From this second on, every basket counts twice. */
const DOUBLE_FROM_S = 30;
const BASKET = 5;
/** The bonus in a streak grows by a point with each basket, up to this. */
const STREAK_MAX = 5;
/** This much rest removes all fatigue. */
const RECOVERY_S = 20 * 60;

/** Makes a person, mostly average, sometimes very good or very bad. */
export function makePerson(code: string, name: string, random: Random): Person {
  const middle = (random() + random() + random()) / 3;
  return {
    code,
    name,
    skill: 0.42 + 0.48 * middle,
    tempo: between(random, 0.75, 1.15),
    stamina: between(random, 0.3, 1),
    form: between(random, -0.08, 0.08),
    fatigue: 0,
  };
}

export function playGame(person: Person, random: Random): Played {
  const accuracy = clamp(person.skill + person.form - 0.25 * person.fatigue, 0.05, 0.97);
  let score = 0;
  let streak = 0;
  let shots_made = 0;
  let shots_attempted = 0;
  for (
    let at = between(random, 1, 2);
    at < GAME_S;
    at += person.tempo * between(random, 0.7, 1.3)
  ) {
    shots_attempted += 1;
    if (random() >= accuracy + (streak > 2 ? 0.04 : 0)) {
      streak = 0;
      continue;
    }
    shots_made += 1;
    score += (BASKET + Math.min(streak, STREAK_MAX)) * (at < DOUBLE_FROM_S ? 1 : 2);
    streak += 1;
  }
  person.fatigue = clamp(person.fatigue + 0.3 * (1.1 - person.stamina), 0, 1);
  return { score, duration_s: GAME_S, shots_made, shots_attempted };
}

export function rest(person: Person, seconds: number, random: Random): void {
  person.fatigue = clamp(person.fatigue - seconds / RECOVERY_S, 0, 1);
  person.form = clamp(0.8 * person.form + between(random, -0.05, 0.05), -0.15, 0.15);
}

/** How many games this person wants to play now, 1 to 4. */
export function gamesWanted(person: Person, random: Random): number {
  return 1 + Math.floor(random() * 4 * (1 - person.fatigue));
}
