/*
 * A second implementation of duels, written from docs/rules.md (DUEL-01 to DUEL-13) without the
 * server's code. It stores plain facts, and computes each answer from all of them.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type Person = {
  adult: boolean;
  /** null: off every team. */
  team: number | null;
  /** The switch “Duels”. */
  on: boolean;
  deleted: boolean;
  /** The person's results in final duels, which stay when a duel is deleted. */
  final: Tally;
};
export type Tally = { won: number; lost: number; level: number };
type Scores = [offerer: number | null, rival: number | null];

export type OracleDuel = {
  id: string;
  offerer: number;
  rival: number;
  state: 'offered' | 'running' | 'decided' | 'over';
  offered: number;
  accepted: number;
  ends: number;
  declined: number | null;
  final: Scores | null;
};

export type OracleGame = {
  by: number;
  score: number;
  at: number;
  state: 'counted' | 'held' | 'void';
};

/** `zones`: the time zone of each team's league. Teams with the same zone share a league. */
export type Facts = {
  zones: readonly string[];
  people: Person[];
  blocks: [by: number, blocked: number][];
  duels: OracleDuel[];
  games: OracleGame[];
};

export type Action =
  | { do: 'offer'; by: number; to: number }
  | { do: 'accept' | 'decline' | 'takeBack' | 'block'; by: number; duel: number };

/** The answer to the caller; `text` only where docs/rules.md gives the words. */
export type Reply = { status: 200 | 204 | 400; text?: string };

const NO_DUEL: Reply = { status: 400, text: 'No duel with this player now.' };
const CHANGED: Reply = { status: 400, text: 'This duel is over or has changed.' };
const DONE: Reply = { status: 204 };

const has = (duel: OracleDuel, person: number) => duel.offerer === person || duel.rival === person;
const other = (duel: OracleDuel, person: number) =>
  duel.offerer === person ? duel.rival : duel.offerer;

const blocked = (facts: Facts, one: number, two: number) =>
  facts.blocks.some(([by, who]) => (by === one && who === two) || (by === two && who === one));

/** PUSH-21 and DUEL-10: what a duel needs to go on. */
function mayGoOn(facts: Facts, one: number, two: number): boolean {
  const [a, b] = [facts.people[one], facts.people[two]];
  if (!a || !b || a.deleted || b.deleted || blocked(facts, one, two)) return false;
  return (a.adult && b.adult) || (a.team !== null && a.team === b.team);
}

/** DUEL-02: what a duel needs to begin. */
function mayBegin(facts: Facts, one: number, two: number): boolean {
  const [a, b] = [facts.people[one], facts.people[two]];
  if (one === two || !a?.on || !b?.on || !mayGoOn(facts, one, two)) return false;
  if (a.team === null || b.team === null) return false;
  return facts.zones[a.team] === facts.zones[b.team];
}

const running = ({ duels }: Facts, person: number) =>
  duels.filter((duel) => duel.state === 'running' && has(duel, person)).length;

/** The date in a zone, as YYYY-MM-DD. */
const dateIn = (at: number, zone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at);

/** DUEL-03: the start of the 8th day after the day of acceptance, found in steps of 15 minutes. */
function endOf(accepted: number, zone: string): number {
  const [year = 0, month = 1, day = 1] = dateIn(accepted, zone).split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1, day + 8)).toISOString().slice(0, 10);
  let at = Date.parse(last) - 15 * HOUR;
  while (dateIn(at, zone) !== last) at += 15 * MINUTE;
  return at;
}

/** DUEL-04 */
function bestOf({ games }: Facts, duel: OracleDuel, person: number): number | null {
  const scores = games
    .filter(({ by, state }) => by === person && state === 'counted')
    .filter(({ at }) => at >= duel.accepted && at < duel.ends)
    .map(({ score }) => score);
  return scores.length === 0 ? null : Math.max(...scores);
}

const scoresOf = (facts: Facts, duel: OracleDuel): Scores =>
  duel.final ?? [bestOf(facts, duel, duel.offerer), bestOf(facts, duel, duel.rival)];

/** DUEL-05 */
function resultOf(own: number | null, theirs: number | null): keyof Tally | 'none' {
  if (own === null && theirs === null) return 'none';
  if (own === null) return 'lost';
  if (theirs === null) return 'won';
  return own === theirs ? 'level' : own > theirs ? 'won' : 'lost';
}

/** Does what a player asks for at `now`. Returns the answer. */
export function act(facts: Facts, action: Action, now: number): Reply {
  if (action.do === 'offer') return offer(facts, action.by, action.to, now);
  const duel = facts.duels[action.duel];
  if (duel === undefined) throw new Error('no such duel');
  const isRival = duel.rival === action.by;
  if (action.do === 'block') {
    if (has(duel, action.by)) {
      facts.blocks.push([action.by, other(duel, action.by)]);
      tidy(facts, now);
    }
    return DONE;
  }
  const open = duel.state === 'offered' && now < duel.offered + 48 * HOUR;
  if (action.do === 'takeBack') {
    if (duel.offerer !== action.by) return DONE;
    if (duel.state === 'running') return CHANGED;
    if (open) duel.state = 'over';
    return DONE;
  }
  if (!isRival || !open) return CHANGED;
  if (action.do === 'decline') {
    duel.state = 'over';
    duel.declined = now;
    return DONE;
  }
  if (!mayBegin(facts, duel.offerer, duel.rival)) {
    duel.state = 'over';
    return CHANGED;
  }
  if (running(facts, duel.rival) >= 3) return { status: 400 };
  if (running(facts, duel.offerer) >= 3) return NO_DUEL;
  const team = facts.people[duel.offerer]?.team ?? 0;
  duel.state = 'running';
  duel.accepted = now;
  duel.ends = endOf(now, facts.zones[team] ?? 'UTC');
  return { status: 200 };
}

function offer(facts: Facts, by: number, to: number, now: number): Reply {
  const made = facts.duels.filter((duel) => duel.offerer === by && duel.state === 'offered');
  if (!facts.people[by]?.on || made.length >= 3 || running(facts, by) >= 3) return { status: 400 };
  const declined = facts.duels.some(
    (duel) =>
      duel.offerer === by &&
      duel.rival === to &&
      duel.declined !== null &&
      now - duel.declined < 7 * DAY,
  );
  if (!mayBegin(facts, by, to) || running(facts, to) >= 3 || declined) return NO_DUEL;
  const between = facts.duels.some(
    (duel) =>
      (duel.state === 'offered' || duel.state === 'running') && has(duel, by) && has(duel, to),
  );
  if (between) return { status: 400, text: 'There is a duel between you already.' };
  facts.duels.push({
    id: '',
    offerer: by,
    rival: to,
    state: 'offered',
    offered: now,
    accepted: 0,
    ends: 0,
    declined: null,
    final: null,
  });
  return { status: 200 };
}

/** Does what the minutely job does: expires, ends and decides (DUEL-03, DUEL-06, PUSH-21). */
export function tidy(facts: Facts, now: number): void {
  for (const duel of facts.duels) {
    const open = duel.state === 'offered' || duel.state === 'running';
    if (duel.state === 'offered' && now >= duel.offered + 48 * HOUR) duel.state = 'over';
    else if (open && !mayGoOn(facts, duel.offerer, duel.rival)) duel.state = 'over';
    else if (duel.state === 'running' && now >= duel.ends + 10 * MINUTE) duel.state = 'decided';
  }
}

/** Does what the nightly job does: makes a duel final 31 days after its end. */
export function night(facts: Facts, now: number): void {
  for (const duel of facts.duels) {
    if (duel.state !== 'decided' || duel.final !== null || now < duel.ends + 31 * DAY) continue;
    duel.final = scoresOf(facts, duel);
    for (const person of [duel.offerer, duel.rival]) {
      const seen = view(facts, duel, person);
      const tally = facts.people[person]?.final;
      if (tally && seen.result !== null && seen.result !== 'none') tally[seen.result] += 1;
    }
  }
}

/** Deletes a player, and their duels with them (DUEL-08). */
export function erase(facts: Facts, person: number): void {
  const gone = facts.people[person];
  if (gone) gone.deleted = true;
  for (const duel of facts.duels) if (has(duel, person)) duel.state = 'over';
  facts.blocks = facts.blocks.filter((pair) => !pair.includes(person));
}

function view(facts: Facts, duel: OracleDuel, person: number) {
  const scores = duel.state === 'offered' ? [null, null] : scoresOf(facts, duel);
  const [own = null, theirs = null] = duel.offerer === person ? scores : scores.toReversed();
  return {
    id: duel.id,
    mine: duel.offerer === person,
    ends: duel.state === 'offered' ? null : duel.ends,
    own,
    theirs,
    result: duel.state === 'decided' ? resultOf(own, theirs) : null,
    final: duel.final !== null,
  };
}

/** What a player is shown. */
export function list(facts: Facts, person: number) {
  const of = (state: OracleDuel['state']) =>
    facts.duels
      .filter((duel) => duel.state === state && has(duel, person))
      .map((duel) => view(facts, duel, person))
      .toSorted((a, b) => Number(a.id) - Number(b.id));
  const results = of('decided');
  const tally = { won: 0, lost: 0, level: 0, ...facts.people[person]?.final };
  for (const { result, final } of results)
    if (!final && result !== null && result !== 'none') tally[result] += 1;
  return { ...tally, offers: of('offered'), running: of('running'), results };
}
