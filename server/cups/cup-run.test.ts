import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { CupForStaff } from '#contract/wire/cups.ts';
import {
  type CupRules,
  type Fact,
  type Game,
  placesOf,
  replayCup,
} from '#testing/app/cup-oracle.ts';
import { aGame, makeLeague, makePlayer, makeTeam } from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { transact } from '../db/transaction.ts';
import { moveToTeams } from '../players/players.ts';
import { settleCups } from './settle.ts';

/*
 * Plays random cups through the API of staff and machines: late, held, void and restored games,
 * machines that are silent or in repair, withdrawals, rulings, corrections and moved windows. After
 * each step the cup must equal a naive replay of all facts. `CUP_RUNS=200` plays 200 other cups,
 * for 10 minutes at most; `CUP_SEED` repeats one.
 */

const { CUP_RUNS, CUP_SEED } = process.env;
/** `npm test` plays few cups, always the same. */
const FEW = { numRuns: 5, seed: 36 };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** No clock changes in these zones. */
const ZONES: [name: string, ahead: number][] = [
  ['UTC', 0],
  ['Asia/Kathmandu', 345 * MINUTE],
  ['Pacific/Kiritimati', 14 * HOUR],
];

const t = withApp();

beforeAll(() => {
  // The clock stands still between the steps, so that a seed always gives the same cup.
  let at = Date.parse('2027-03-03T12:00:00Z');
  t.clock.now = () => new Date(at);
  t.clock.advance = (ms) => {
    at += ms;
  };
});
const now = () => t.clock.now().getTime();
const iso = (ms: number) => new Date(ms).toISOString();

const happened = new Map<string, number>();
const note = (what: string) => happened.set(what, (happened.get(what) ?? 0) + 1);

async function post(path: string, body: object) {
  const answer = await t.call('POST', `/api/operator/${path}`, { as: { key: OPERATOR_KEY }, body });
  expect([200, 201, 400], JSON.stringify([path, body, answer.body])).toContain(answer.status);
  return { ok: answer.status < 300, body: answer.body };
}

type Hoop = { id: number; name: string; key: string; here: boolean };
type Player = Awaited<ReturnType<typeof makePlayer>>;
let made = 0;
/** The number of the last game. Of two games at the same moment, the lower id counts first. */
let numbered = 0;

/** A cup that has not begun, with its players, machines and rules. */
async function makeWorld(draw: (below: number) => number) {
  made += 1;
  // Otherwise `settleCups` would settle the cups of other runs, too.
  await sql`update cups set final_at = created_at where final_at is null`.execute(t.db);
  t.clock.advance(DAY + draw(DAY / MINUTE) * MINUTE);
  const [timezone, zone] = ZONES[draw(ZONES.length)] ?? ['UTC', 0];
  const venue = `Run ${made}`;
  const hoops: Hoop[] = [];
  for (const here of [true, true, false]) {
    const name = `Run hoop ${made}-${hoops.length}`;
    const { body } = await post('machines/', {
      name,
      venue: here ? venue : `Far ${made}`,
      timezone,
    });
    hoops.push({ id: Number(body.id), name, key: body.key, here });
  }
  const seeds = 2 + draw(8);
  const teams = draw(2) === 0;
  const weeks = draw(4) === 0;
  const anywhere = teams && draw(4) === 0;
  const best = 1 + draw(2);
  const of = best + draw(2);
  const perPlayer = teams ? 1 + draw(of) : null;
  const third = seeds >= 4 && draw(4) > 0;
  const minutes = 15 * (1 + draw(8));
  const pause = 15 * draw(3);
  const facts: Fact[] = [];
  const people: Player[] = [];
  const names: string[] = [];
  const teamIds: number[] = [];
  const league = teams ? await makeLeague(t, { timezone }) : null;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const own: Player[] = [];
    for (let n = teams ? 2 : 1; n > 0; n -= 1) own.push(await makePlayer(t));
    people.push(...own);
    for (const { id } of own) facts.push({ what: 'team', player: id, seed, at: now() });
    if (league !== null) {
      const team = await makeTeam(t, league, own, { since: t.clock.now() });
      teamIds.push(team.id);
      names.push(team.name);
    } else names.push(own[0]?.username ?? '');
  }
  const rounds = Math.ceil(Math.log2(seeds));
  const monday = (Math.floor(((now() + zone) / DAY + 3) / 7) + 1) * 7 * DAY - 3 * DAY - zone;
  const begin = weeks ? monday : now() + 30 * MINUTE;
  const [length, gap] = weeks ? [7 * DAY, 0] : [minutes * MINUTE, pause * MINUTE];
  const answer = await post('cups/', {
    ...{ name: `Run cup ${made}`, from: 'sides', sides: names, best, of, third },
    ...(anywhere ? {} : { venue }),
    ...(league === null ? {} : { league: league.name, per_player: perPlayer }),
    ...(weeks ? { windows: 'weeks' } : { minutes, pause, starts: iso(begin) }),
  });
  expect(answer.ok, JSON.stringify(answer.body)).toBe(true);
  const windows: CupRules['windows'] = [];
  const byes = 2 ** rounds - seeds;
  const rules: CupRules = {
    ...{ seeds, third, best, of, perPlayer, anywhere, weeks, zone, windows },
    machines: hoops.filter(({ here }) => here).map(({ id }) => id),
  };
  const open = replayCup(rules, []).shown.filter(({ how }) => how !== 'bye');
  expect(open).toHaveLength(placesOf(rules).length - byes);
  for (const { place } of open) {
    const starts = begin + Number(place[0]) * (length + gap);
    windows.push([place, { starts, ends: starts + length }]);
  }
  return { id: answer.body.id as string, rules, facts, people, teamIds, hoops, begin, length };
}
type World = Awaited<ReturnType<typeof makeWorld>>;

/** Compares all that is stored and shown with a replay of all that happened. */
async function expectSame({ id, rules, facts }: World) {
  const replay = replayCup(rules, facts);
  const { rows } = await sql<{ place: string; version: number }>`
    select round || '-' || slot as place, version, winner_seed as winner, how,
      (select json_agg(json_build_object('seed', s->'seed', 'sum', s->'sum', 'games',
        (select coalesce(json_agg(g->'id'), '[]') from jsonb_array_elements(s->'games') g)))
        from jsonb_array_elements(sides) s) as sides,
      (extract(epoch from starts_at) * 1000)::float8 as starts,
      (extract(epoch from ends_at) * 1000)::float8 as ends
    from cup_results where cup_id = ${id} order by round, slot, version`.execute(t.db);
  const inOrder = (a: (typeof rows)[number], b: (typeof rows)[number]) =>
    a.place < b.place ? -1 : a.place > b.place ? 1 : a.version - b.version;
  expect(rows).toEqual(replay.versions.toSorted(inOrder));
  const { body } = await t.call('GET', `/api/operator/cups/page/?cup=${id}`, {
    as: { key: OPERATOR_KEY },
  });
  const page = body as CupForStaff;
  const pairings = page.rounds.flatMap((round) => round.pairings);
  const labels = new Map(pairings.map(({ id: place, label }) => [label, place]));
  const shown = pairings.map(({ id: place, a, b, winner, decided, how }) => {
    return { place, seeds: [a.seed, b.seed], winner, decided, how };
  });
  expect(shown).toEqual(replay.shown);
  for (const { id: place, starts_at, ends_at } of pairings) {
    const { starts, ends } = replay.windows.get(place) ?? {};
    expect([place, starts_at, ends_at]).toEqual([
      place,
      starts === undefined ? null : iso(starts),
      ends === undefined ? null : iso(ends),
    ]);
  }
  expect(page.cup.state === 'final').toBe(replay.shown.every(({ decided }) => decided));
  const placed = (names: readonly string[]) => names.map((label) => labels.get(label));
  expect(placed(page.offers.map(({ pairing }) => pairing))).toEqual(replay.offers);
  for (const { pairing, reopens } of page.offers)
    expect(placed(reopens)).toEqual(
      reopenedBy(rules, facts, { what: 'correct', place: labels.get(pairing) ?? '' }),
    );
  return { replay, labels };
}

/** The pairings that one more fact would reopen. */
function reopenedBy(rules: CupRules, facts: readonly Fact[], fact: Fact): string[] {
  const before = replayCup(rules, facts).shown;
  const after = replayCup(rules, [...facts, fact]).shown;
  return before.flatMap(({ place, decided }, at) =>
    decided && !after[at]?.decided ? [place] : [],
  );
}

/** CUP-23: only later pairings change, and the former winner leaves the next one. */
function expectPath(rules: CupRules, facts: readonly Fact[], place: string) {
  const before = replayCup(rules, facts.slice(0, -1)).shown;
  const after = replayCup(rules, facts).shown;
  const [round = 0, slot = 0] = place.split('-').map(Number);
  const rounds = Math.ceil(Math.log2(rules.seeds));
  const way = new Set([place]);
  for (let up = 1; round + up < rounds; up += 1) way.add(`${round + up}-${slot >> up}`);
  if (rules.third && round < rounds - 1) way.add(`${rounds - 1}-1`);
  const former = before.find((one) => one.place === place)?.winner;
  const stays = former === after.find((one) => one.place === place)?.winner;
  for (const [at, was] of before.entries()) {
    const is = after[at];
    if (was.place !== place && (stays || !way.has(was.place))) expect(is).toEqual(was);
    const next = was.place === `${round + 1}-${slot >> 1}`;
    if (next && !stays && former) expect(is?.seeds).not.toContain(former);
  }
}

/** Plays a cup until shortly after its end. Returns the number of steps. */
async function playCup(draw: (below: number) => number): Promise<number> {
  const world = await makeWorld(draw);
  const { id, rules, facts, people, teamIds, hoops, begin, length } = world;
  const pick = <T>(of: readonly T[]): T | undefined => of[draw(Math.max(1, of.length))];
  const games: (Game & { number: string })[] = [];
  const withdrawn = new Set<number>();
  // Usually low scores, so that many pairings are level.
  const most = pick([1, 3, 300]) ?? 1;
  const view = () => replayCup(rules, facts);
  const last = () => Math.max(...[...view().windows.values()].map(({ ends }) => ends));

  const ask = async () => {
    const before = view().versions.length;
    facts.push({ what: 'ask', at: now() });
    expect(await settleCups(t)).toBe(view().versions.length - before);
  };

  const report = async () => {
    const hoop = draw(8) === 0 ? hoops[2] : hoops[draw(2)];
    const changed = facts.flatMap((fact) => (fact.what === 'players' ? fact.player : []));
    const player = pick(
      draw(3) === 0 && changed.length > 0
        ? people.filter((one) => changed.includes(one.id))
        : people,
    );
    if (hoop === undefined || player === undefined) return;
    const windows = [...view().windows.values()].filter(({ starts }) => starts <= now());
    const sent = Array.from({ length: 1 + draw(5) }, () => {
      const window = pick(windows);
      const { starts, ends } = window ?? { starts: begin, ends: now() };
      const at = pick([
        now() - 1 - draw(20 * MINUTE),
        starts + draw(ends - starts),
        starts - draw(2),
        ends - draw(2),
      ]);
      const played = Math.max(Math.min(at ?? 0, now()), now() - 29 * DAY);
      if (played < now() - 20 * MINUTE) note('late game');
      const score = draw(12) === 0 ? 99_999 : draw(most + 1);
      numbered += 1;
      const id = `00000000-0000-4000-8000-${String(numbered).padStart(12, '0')}`;
      return { ...aGame(t, player, { id, score, played_at: iso(played) }), played };
    });
    const { body } = await t.call('POST', '/api/machine/games/', {
      as: { key: hoop.key },
      body: { games: sent.map(({ played: _, ...game }) => game) },
    });
    for (const [at, { id: game, score, played }] of sent.entries()) {
      const { status } = body.results[at];
      expect(['recorded', 'held']).toContain(status);
      const { seq } = await t.db
        .selectFrom('games')
        .select('seq')
        .where('id', '=', game)
        .executeTakeFirstOrThrow();
      const state = status === 'held' ? 'held' : 'counted';
      note(state);
      const { here } = hoop;
      const fact = { id: game, machine: hoop.id, here, player: player.id, score, played };
      games.push({ ...fact, state, number: String(seq) });
      facts.push({ what: 'game', game: { ...fact, state } });
    }
  };

  /** Voids, restores, releases or discards a game, often one that a result has counted. */
  const settle = async () => {
    const counted = view().versions.flatMap(({ sides }) => sides.flatMap((side) => side.games));
    const found = games.filter((game) => counted.includes(game.id) || game.state !== 'counted');
    const game = pick(draw(3) > 0 && found.length > 0 ? found : games);
    if (game === undefined) return;
    const calls = {
      counted: [['games/void/', 'void']],
      held: [
        ['held/release/', 'counted'],
        ['held/discard/', 'discarded'],
      ],
      void: [['games/restore/', 'counted']],
      discarded: [['held/return/', 'held']],
    } as const;
    const [path, state] = pick<readonly [string, Game['state']]>(calls[game.state]) ?? [];
    if (path === undefined || state === undefined) return;
    if (!(await post(path, { game: game.number })).ok) return;
    note(path);
    game.state = state;
    facts.push({ what: 'state', id: game.id, state });
  };

  const status = async () => {
    for (const { id: machine, key, here } of hoops) {
      if (!here || draw(5) === 0) continue;
      const quiet = draw(3) > 0;
      const body = quiet ? { queued: 0, playing: false } : pick([{ queued: 2 }, { playing: true }]);
      await t.call('PUT', '/api/machine/status/', { as: { key }, body });
      facts.push({ what: 'status', machine, quiet, at: now() });
    }
    // Settle after every status: machines send one a minute, and the server settles every 10 s.
    await ask();
  };

  const repair = async () => {
    const hoop = hoops[draw(2)];
    const done = draw(2) === 0;
    if (hoop === undefined) return;
    await post('machines/repair/', { machine: hoop.name, done });
    facts.push({ what: 'repair', machine: hoop.id, on: !done });
  };

  const withdraw = async () => {
    const seed = 1 + draw(rules.seeds);
    for (const undo of draw(2) === 0 ? [false, true] : [withdrawn.has(seed)]) {
      if (!(await post('cups/withdraw/', { cup: id, side: String(seed), undo })).ok) return;
      note(undo ? 'withdraw undo' : 'withdraw');
      if (undo) withdrawn.delete(seed);
      else withdrawn.add(seed);
      facts.push({ what: 'withdraw', seed, undo });
      await expectSame(world);
    }
  };

  /** A ruling or a correction, with new ends for the pairings that the first answer names. */
  const replace = async (fact: Fact & { what: 'rule' | 'correct' }) => {
    const { place } = fact;
    const path = fact.what === 'rule' ? 'cups/decide/' : 'cups/correct/';
    const body = { cup: id, pairing: place, reason: 'Why' };
    const full = fact.what === 'rule' ? { ...body, winner: String(fact.winner) } : body;
    const { labels } = await expectSame(world);
    let answer = await post(path, full);
    const words: string = answer.body.windows?.[0] ?? '';
    let moved: { place: string; ends: number }[] = [];
    if (words.startsWith('Give a new end to ')) {
      const named = words.slice('Give a new end to '.length, -1).split(', ');
      moved = named.map((label) => {
        const at = labels.get(label) ?? '';
        const hours = (1 + Number(at[0])) * (1 + draw(2)) + draw(2);
        return { place: at, ends: Math.max(now(), last()) + hours * HOUR };
      });
      const windows = moved.map(({ place: at, ends }) => ({ pairing: at, ends: iso(ends) }));
      answer = await post(path, { ...full, windows });
      if (answer.ok) note('new windows');
    }
    if (!answer.ok) return false;
    const reopens = reopenedBy(rules, facts, fact);
    note(reopens.length > 0 ? `${fact.what} reopens` : fact.what);
    const open = (answer.body.changes as string[]).flatMap((change) =>
      change.endsWith(' is open again.') ? change.slice(0, -' is open again.'.length) : [],
    );
    expect(open.map((label) => labels.get(label))).toEqual(reopens);
    facts.push(fact);
    expectPath(rules, facts, place);
    if (moved.length > 0) facts.push({ what: 'windows', moved });
    return true;
  };

  const rule = async () => {
    const known = view().shown.filter(({ seeds }) => seeds.every((seed) => seed !== null));
    const pairing = pick(known);
    if (pairing === undefined || now() < begin) return;
    await replace({ what: 'rule', place: pairing.place, winner: pairing.seeds[draw(2)] ?? 0 });
  };

  const correct = async () => {
    const place = pick(view().offers);
    if (place !== undefined) await replace({ what: 'correct', place });
    const sure = pick(placesOf(rules).filter((one) => !view().offers.includes(one))) ?? '';
    expect((await post('cups/correct/', { cup: id, pairing: sure, reason: 'Why' })).ok).toBe(false);
  };

  const move = async () => {
    const open = view().shown.filter(({ decided }) => !decided);
    // Usually only the last pairing has room for a later end.
    const place = (draw(2) === 0 ? open.at(-1) : pick(open))?.place;
    const span = view().windows.get(place ?? '');
    if (place === undefined || span === undefined) return;
    const by = (draw(5) - 1) * 15 * MINUTE;
    const starts = draw(2) === 0 ? span.starts + by : undefined;
    const ends = Math.max(span.ends + by, draw(2) === 0 ? now() + HOUR : 0);
    const window = {
      pairing: place,
      ends: iso(ends),
      ...(starts !== undefined && { starts: iso(starts) }),
    };
    if ((await post('cups/windows/', { cup: id, windows: [window] })).ok) {
      note('windows');
      facts.push({ what: 'windows', moved: [{ place, starts, ends }] });
    }
  };

  /** CUP-11: a player leaves or changes the team, or staff add them to a side or take them off. */
  const walk = async () => {
    const player = pick(people);
    if (player === undefined || teamIds.length === 0) return;
    if (draw(2) === 0) {
      const seed = draw(4) === 0 ? null : 1 + draw(rules.seeds);
      const team_id = seed === null ? null : (teamIds[seed - 1] ?? null);
      await transact(t.db, (trx) =>
        moveToTeams(trx, [{ player_id: player.id, team_id }], t.clock.now(), null),
      );
      facts.push({ what: 'team', player: player.id, seed, at: now() });
      return;
    }
    const off = facts.findLast((fact) => fact.what === 'players' && fact.player === player.id);
    const on = off?.what === 'players' && !off.on;
    const first = facts.findLast(
      (fact) => fact.what === 'team' && fact.player === player.id && fact.at <= begin,
    );
    const known = on
      ? null
      : off?.what === 'players'
        ? off.seed
        : first?.what === 'team'
          ? first.seed
          : null;
    const seed = known ?? 1 + draw(rules.seeds);
    const body = { cup: id, side: String(seed), [on ? 'add' : 'remove']: [player.username] };
    if (!(await post('cups/sides/', body)).ok) return;
    note('sides');
    facts.push({ what: 'players', seed, player: player.id, on, at: now() });
  };

  const common = [report, report, report, report, settle, settle, settle, correct, correct];
  const actions = [...common, ...common, status, repair, move, move, walk, walk, rule, withdraw];
  let steps = 0;
  const step = async (action: (() => Promise<unknown>) | undefined) => {
    await action?.();
    await expectSame(world);
    steps += 1;
  };
  await step(walk);
  t.clock.advance(begin - now() + draw(2));
  // The round has begun, but the server has not noticed yet.
  await step(walk);
  await step(ask);
  for (let calm = 0; calm < 12 && steps < 90; calm += now() > last() + 2 * DAY ? 1 : 0) {
    const grace = rules.weeks ? DAY : 15 * MINUTE;
    const { shown, windows } = view();
    const isWaited = shown.some(({ place, decided, seeds }) => {
      const { ends = 0 } = windows.get(place) ?? {};
      return !decided && !seeds.includes(null) && ends <= now() && now() < ends + grace;
    });
    // Sometimes the clock goes exactly to an end, just before it, or to the end of a grace.
    const next = [...windows.values()].flatMap(({ ends }) => [ends - 1, ends, ends + grace]);
    const exact = Math.min(...next.filter((at) => at > now())) - now();
    const stride = Math.ceil((isWaited ? grace / 6 : length / 6) / MINUTE);
    t.clock.advance(
      draw(4) === 0 && exact < length ? exact : draw(stride) * MINUTE + draw(2) * draw(MINUTE),
    );
    if (isWaited && draw(2) === 0) await step(draw(2) === 0 ? status : repair);
    if (draw(3) > 0) await step(ask);
    await step(pick(actions));
  }
  return steps;
}

test('CUP-05, CUP-07, CUP-10 to 16, CUP-20 to 23, FRAME-02, FRAME-04: whatever happens in a cup, its results are those of a naive replay', {
  timeout: 900_000,
}, async () => {
  let steps = 0;
  let runs = 0;
  const many = { numRuns: Number(CUP_RUNS), ...(CUP_SEED ? { seed: Number(CUP_SEED) } : {}) };
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat({ max: 1_000_000 })), async (luck) => {
      steps += await playCup((below) => Number(luck.next().value) % below);
      runs += 1;
    }),
    { ...(CUP_RUNS ? many : FEW), endOnFailure: true, interruptAfterTimeLimit: 600_000 },
  );
  if (CUP_RUNS) console.log(`${runs} cups, ${steps} steps`, Object.fromEntries(happened));
  const kinds = [
    'late game',
    'held',
    'games/void/',
    'games/restore/',
    'withdraw',
    'windows',
    'rule',
  ];
  for (const kind of [...kinds, 'correct', 'correct reopens', 'new windows', 'sides'])
    expect([kind, happened.get(kind) ?? 0]).not.toEqual([kind, 0]);
});
