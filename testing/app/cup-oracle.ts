/*
 * Computes a whole cup from its facts, by CUP-05 to CUP-23 and FRAME-04. It shares no code with the
 * server. It replays the facts in order and stores only results. After each fact, it works out
 * again who won the earlier pairings.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export type Game = {
  id: string;
  machine: number;
  /** Whether the cup's venue received it. */
  here: boolean;
  player: number;
  score: number;
  played: number;
  state: 'counted' | 'held' | 'void' | 'discarded';
};
export type Span = { starts: number; ends: number };
export type Moved = { place: string; starts?: number | undefined; ends: number };

export type Fact =
  | { what: 'game'; game: Game }
  | { what: 'state'; id: string; state: Game['state'] }
  | { what: 'team'; player: number; seed: number | null; at: number }
  | { what: 'status'; machine: number; quiet: boolean; at: number }
  | { what: 'repair'; machine: number; on: boolean }
  | { what: 'ask'; at: number }
  | { what: 'withdraw'; seed: number; undo: boolean }
  | { what: 'players'; seed: number; player: number; on: boolean; at: number }
  | { what: 'windows'; moved: Moved[] }
  | { what: 'rule'; place: string; winner: number }
  | { what: 'correct'; place: string };

export type CupRules = {
  seeds: number;
  third: boolean;
  best: number;
  of: number;
  perPlayer: number | null;
  anywhere: boolean;
  weeks: boolean;
  /** How far the venue's clock is ahead of UTC. */
  zone: number;
  machines: number[];
  windows: [place: string, span: Span][];
};

type Count = {
  winner: number | null;
  how: string;
  sides: { seed: number; sum: number; games: string[] }[];
};
export type Version = Count & Span & { place: string; version: number };
export type Shown = {
  place: string;
  seeds: (number | null)[];
  winner: number | null;
  decided: boolean;
  how: string | null;
};

/** The number of rounds, and the seeds in the order of the tree (CUP-05); 0 is a bye. */
export function seatsOf(seeds: number): { rounds: number; seats: number[] } {
  let seats = [1];
  let rounds = 0;
  while (seats.length < seeds) {
    const wider: number[] = [];
    for (const seed of seats) wider.push(seed, 2 * seats.length + 1 - seed);
    seats = wider;
    rounds += 1;
  }
  return { rounds, seats: seats.map((seed) => (seed > seeds ? 0 : seed)) };
}

/** All pairings, round by round; third place is the last. */
export function placesOf({ seeds, third }: Pick<CupRules, 'seeds' | 'third'>): string[] {
  const { rounds } = seatsOf(seeds);
  const places: string[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (let slot = 0; slot < 2 ** (rounds - 1 - round); slot += 1) places.push(`${round}-${slot}`);
  if (third) places.push(`${rounds - 1}-1`);
  return places;
}

/**
 * The cup after these facts: all results, each pairing with its window, and what a recount changes.
 */
export function replayCup(rules: CupRules, facts: readonly Fact[]) {
  const { rounds, seats } = seatsOf(rules.seeds);
  const places = placesOf(rules);
  const windows = new Map(rules.windows.map(([place, span]) => [place, { ...span }]));
  const versions: Version[] = [];
  const games: Game[] = [];
  const inRepair = new Set<number>();
  const withdrawn = new Set<number>();
  const teams: { player: number; seed: number | null; at: number }[] = [];
  const changes: { player: number; seed: number; on: boolean; from: number }[] = [];
  const quiet: { machine: number; at: number }[] = [];
  const begin = () => Math.min(...[...windows.values()].map(({ starts }) => starts));
  const began = begin();

  const roundOf = (place: string) => Number(place.split('-')[0]);
  const below = (place: string): string[] => {
    const [round = 0, slot = 0] = place.split('-').map(Number);
    if (round === 0) return [];
    if (round === rounds - 1 && slot === 1) return [`${round - 1}-0`, `${round - 1}-1`];
    return [`${round - 1}-${2 * slot}`, `${round - 1}-${2 * slot + 1}`];
  };
  const isThird = (place: string) => place === `${rounds - 1}-1` && rounds > 1;
  const newest = (place: string) => versions.findLast((version) => version.place === place);

  /** The two sides of a pairing: a seed, 0 for nobody, undefined while unknown. */
  function standing(place: string): (number | undefined)[] {
    if (roundOf(place) === 0) {
      const slot = Number(place.split('-')[1]);
      return [seats[2 * slot], seats[2 * slot + 1]];
    }
    return below(place).map((one) => {
      const end = endOf(one);
      if (end === undefined) return undefined;
      if (!isThird(place) || end.winner === 0) return end.winner;
      return standing(one).find((seed) => seed !== end.winner) ?? 0;
    });
  }

  /** How a pairing ended; undefined while it is open. Winner 0 means nobody. */
  function endOf(place: string): { winner: number; how: string; version?: Version } | undefined {
    const [a, b] = standing(place);
    if (a === undefined || b === undefined) return undefined;
    if (a === 0 || b === 0)
      return { winner: a + b, how: roundOf(place) === 0 ? 'bye' : 'walkover' };
    const version = newest(place);
    if (version?.sides[0]?.seed === a && version.sides[1]?.seed === b)
      return { winner: version.winner ?? 0, how: version.how, version };
    if (withdrawn.has(a) && withdrawn.has(b)) return { winner: 0, how: 'walkover' };
    if (withdrawn.has(a)) return { winner: b, how: 'walkover' };
    if (withdrawn.has(b)) return { winner: a, how: 'walkover' };
    return undefined;
  }

  /** CUP-11: the player's side in this round by the last fact about it; null for none. */
  function seedOf(player: number, round: number): number | null {
    let seed: number | null = null;
    for (const one of teams) if (one.player === player && one.at <= began) seed = one.seed;
    for (const one of changes)
      if (one.player === player && one.from <= round) {
        if (one.on) seed = one.seed;
        else if (seed === one.seed) seed = null;
      }
    return seed;
  }

  /** CUP-10. */
  function gamesOf(seed: number, round: number, { starts, ends }: Span, state: Game['state']) {
    return games.filter(
      (game) =>
        game.state === state &&
        (rules.anywhere || game.here) &&
        game.played >= starts &&
        game.played < ends &&
        seedOf(game.player, round) === seed,
    );
  }
  function sideOf(seed: number, round: number, span: Span) {
    const taken: Game[] = [];
    const own = gamesOf(seed, round, span, 'counted');
    own.sort((a, b) => a.played - b.played || a.machine - b.machine || (a.id < b.id ? -1 : 1));
    for (const game of own) {
      const mine = taken.filter(({ player }) => player === game.player).length;
      if (taken.length < rules.of && mine < (rules.perPlayer ?? rules.of)) taken.push(game);
    }
    taken.sort((a, b) => b.score - a.score);
    let sum = 0;
    for (const { score } of taken.slice(0, rules.best)) sum += score;
    return { seed, sum, games: taken.map(({ id }) => id), scores: taken.map(({ score }) => score) };
  }

  /** CUP-12, CUP-13. */
  function count(place: string, span: Span): Count {
    const [a, b] = standing(place).map((seed) => sideOf(seed ?? 0, roundOf(place), span));
    if (a === undefined || b === undefined) throw new Error('no sides');
    const sides = [a, b].map(({ seed, sum, games: ids }) => ({ seed, sum, games: ids }));
    const won = (winner: number | null, how: string) => ({ winner, how, sides });
    if (a.games.length === 0 && b.games.length === 0) return won(null, 'no_show');
    if (a.games.length === 0) return won(b.seed, 'no_show');
    if (b.games.length === 0) return won(a.seed, 'no_show');
    if (a.sum > b.sum) return won(a.seed, 'score');
    if (b.sum > a.sum) return won(b.seed, 'score');
    for (let at = 0; at < 99; at += 1) {
      const [one = -1, other = -1] = [a.scores[at], b.scores[at]];
      if (one > other) return won(a.seed, 'best_game');
      if (other > one) return won(b.seed, 'best_game');
    }
    return won(Math.min(a.seed, b.seed), 'seed');
  }

  function store(place: string, found: Count, { starts, ends }: Span): void {
    const version = (newest(place)?.version ?? 0) + 1;
    versions.push({ place, version, ...found, starts, ends });
  }
  const windowOf = (place: string): Span => windows.get(place) ?? { starts: 0, ends: 0 };

  /** The next 06:00 after `end`, on the venue's clock. */
  function nextSix(end: number): number {
    let six = Math.floor((end + rules.zone) / DAY) * DAY + 6 * 60 * MINUTE - rules.zone;
    while (six <= end) six += DAY;
    return six;
  }

  /** FRAME-04. */
  function isSettled(place: string, now: number): boolean {
    const window = windowOf(place);
    const { ends } = window;
    if (now < ends) return false;
    const held = standing(place).some(
      (seed) => gamesOf(seed ?? 0, roundOf(place), window, 'held').length > 0,
    );
    if (held && now < (rules.weeks ? ends + 7 * DAY : nextSix(ends))) return false;
    if (now >= ends + (rules.weeks ? DAY : 15 * MINUTE)) return true;
    if (rules.anywhere) return false;
    return rules.machines.every(
      (machine) =>
        inRepair.has(machine) || quiet.some((one) => one.machine === machine && one.at >= ends),
    );
  }
  const isOpen = (place: string) =>
    endOf(place) === undefined && standing(place).every((seed) => seed !== undefined);

  /**
   * Counts all pairings that are due, again and again, because a result can make another one due.
   */
  function ask(now: number): void {
    for (;;) {
      const due = places.filter((place) => isOpen(place) && isSettled(place, now));
      if (due.length === 0) return;
      for (const place of due) store(place, count(place, windowOf(place)), windowOf(place));
    }
  }

  function move({ place, starts, ends }: Moved): void {
    const own = windowOf(place).starts;
    // Unless staff give a start, the window starts after the open pairings that feed it.
    const waits = below(place).filter((one) => endOf(one) === undefined);
    const after = Math.max(own, ...waits.map((one) => windowOf(one).ends));
    windows.set(place, { starts: starts ?? after, ends });
  }

  for (const fact of facts) {
    if (fact.what === 'game') games.push({ ...fact.game });
    if (fact.what === 'state')
      for (const game of games) if (game.id === fact.id) game.state = fact.state;
    if (fact.what === 'team') teams.push(fact);
    if (fact.what === 'status' && fact.quiet) quiet.push(fact);
    if (fact.what === 'repair')
      fact.on ? inRepair.add(fact.machine) : inRepair.delete(fact.machine);
    if (fact.what === 'ask') ask(fact.at);
    if (fact.what === 'withdraw')
      fact.undo ? withdrawn.delete(fact.seed) : withdrawn.add(fact.seed);
    if (fact.what === 'players') {
      let from = 0;
      for (const [place, { starts }] of windows)
        if (starts <= fact.at) from = Math.max(from, roundOf(place) + 1);
      changes.push({ ...fact, from });
    }
    if (fact.what === 'windows')
      for (const one of fact.moved.toSorted((a, b) => roundOf(a.place) - roundOf(b.place)))
        move(one);
    if (fact.what === 'rule' || fact.what === 'correct') {
      const span = endOf(fact.place)?.version ?? windowOf(fact.place);
      const found = count(fact.place, span);
      const ruling = fact.what === 'rule' ? { winner: fact.winner, how: 'ruling' } : {};
      store(fact.place, { ...found, ...ruling }, span);
    }
  }

  const shown: Shown[] = places.map((place) => {
    const end = endOf(place);
    return {
      place,
      seeds: standing(place).map((seed) => seed || null),
      winner: end?.winner || null,
      decided: end !== undefined,
      how: end?.how ?? null,
    };
  });
  /** CUP-20: the pairings that games decided and a new count changes. */
  const offers = places.filter((place) => {
    const version = endOf(place)?.version;
    if (version === undefined || version.how === 'ruling') return false;
    const { winner, how, sides } = version;
    const again = count(place, version);
    // Scores never change, so a side's games and sum suffice.
    return (
      JSON.stringify([winner, how, sides]) !==
      JSON.stringify([again.winner, again.how, again.sides])
    );
  });
  return { versions, windows, shown, offers };
}
