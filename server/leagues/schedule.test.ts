import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeGames, makeLeague, makeMachine, makePlayer, makeTeam } from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { addDays, mondayOf, weekOf } from './calendar.ts';
import { listLeagues } from './leagues.ts';
import { generateSchedule, previewSchedule, roundOf } from './schedule.ts';
import { readSeason } from './season-view.ts';

const many = fc.integer({ min: 2, max: 31 });
const cycleOf = (teams: number) => teams - 1 + (teams % 2);
const cycle = (teams: number, which: number) =>
  Array.from({ length: cycleOf(teams) }, (_, at) => roundOf(teams, which * cycleOf(teams) + at));

test('in every round each team plays once, and with an odd number of teams one has a bye', () => {
  fc.assert(
    fc.property(many, fc.nat(200), (teams, round) => {
      const { pairs, bye } = roundOf(teams, round);
      const playing = pairs.flat();
      expect([...playing, ...(bye === null ? [] : [bye])].sort((a, b) => a - b)).toEqual(
        Array.from({ length: teams }, (_, at) => at),
      );
      expect(bye === null).toBe(teams % 2 === 0);
    }),
  );
});

test('in every cycle every two teams meet once, and each team has the same number of byes', () => {
  fc.assert(
    fc.property(many, fc.nat(3), (teams, which) => {
      const rounds = cycle(teams, which);
      const met = rounds.flatMap(({ pairs }) =>
        pairs.map((pair) => pair.toSorted((a, b) => a - b).join(' ')),
      );
      expect(new Set(met).size).toBe(met.length);
      expect(met.length).toBe((teams * (teams - 1)) / 2);
      const byes = rounds.flatMap(({ bye }) => bye ?? []);
      expect(new Set(byes).size).toBe(teams % 2 === 0 ? 0 : teams);
    }),
  );
});

test('home and away games differ by at most one, and the next cycle swaps them', () => {
  fc.assert(
    fc.property(many, (teams) => {
      const first = cycle(teams, 0).flatMap(({ pairs }) => pairs);
      for (let team = 0; team < teams; team += 1) {
        const home = first.filter(([host]) => host === team).length;
        const away = first.filter(([, guest]) => guest === team).length;
        expect(Math.abs(home - away)).toBeLessThanOrEqual(1);
      }
      const second = cycle(teams, 1).flatMap(({ pairs }) => pairs);
      expect(second).toEqual(first.map(([home, away]) => [away, home]));
    }),
  );
});

test('no team plays three times running at home or away', () => {
  fc.assert(
    fc.property(many, (teams) => {
      for (let team = 0; team < teams; team += 1) {
        const sides = cycle(teams, 0).flatMap(({ pairs }) =>
          pairs.flatMap(([home, away]) => (home === team ? 'h' : away === team ? 'a' : [])),
        );
        expect(sides.join('')).not.toMatch(/hhh|aaa/);
      }
    }),
  );
});

const t = withApp();

test('SEASON-50: weeks that were left out of a schedule are also left out by later calls', async () => {
  const league = await makeLeague(t, { starts: mondayOf('2030-01-07') });
  for (const name of ['A', 'B']) await makeTeam(t, league, [], { name });
  const at = t.clock.now();
  const leaveOut = (...mondays: string[]) => ({ left_out: { mondays, at } });
  expect(
    await generateSchedule(t, league, { weeks: 2, ...leaveOut('2030-01-14', '2030-01-28') }),
  ).toEqual(['2030-01-07', '2030-01-21']);
  expect(await generateSchedule(t, league, { weeks: 1 })).toEqual(['2030-02-04']);
  const { schedule } = await readSeason(t.db, league, at);
  expect(schedule.map(({ from, postponed }) => [from, postponed])).toEqual([
    ['2030-01-07', undefined],
    ['2030-01-14', 'Left out of the plan'],
    ['2030-01-21', undefined],
    ['2030-01-28', 'Left out of the plan'],
    ['2030-02-04', undefined],
  ]);
  for (const [left, status] of [
    ['2030-02-04', 409],
    ['2029-12-31', 400],
  ] as const)
    await expect(
      generateSchedule(t, league, { weeks: 1, from: '2030-02-04', ...leaveOut(left) }),
    ).rejects.toMatchObject({ status });
  const many = Array.from({ length: 7 }, (_, week) => addDays('2030-03-04', 7 * week));
  await expect(
    generateSchedule(t, league, { weeks: 1, ...leaveOut(...many) }),
  ).rejects.toMatchObject({ status: 400 });
});

test('a schedule continues where it stopped, and never fills a week twice', async () => {
  const league = await makeLeague(t, { starts: mondayOf('2030-01-07') });
  await expect(generateSchedule(t, league, { weeks: 1 })).rejects.toMatchObject({ status: 400 });
  for (const name of ['A', 'B', 'C']) await makeTeam(t, league, [], { name });
  expect(await generateSchedule(t, league, { weeks: 2 })).toEqual(['2030-01-07', '2030-01-14']);
  expect(await generateSchedule(t, league, { weeks: 1 })).toEqual(['2030-01-21']);
  // `from` may be any day of a week.
  expect(await generateSchedule(t, league, { weeks: 1, from: '2030-02-10' })).toEqual([
    '2030-02-04',
  ]);
  expect(await generateSchedule(t, league, { weeks: 1 })).toEqual(['2030-01-28']);
  for (const clash of [
    { weeks: 1, from: '2030-01-09' },
    { weeks: 3, from: '2030-01-28' },
  ])
    await expect(generateSchedule(t, league, clash)).rejects.toMatchObject({ status: 409 });
  await expect(generateSchedule(t, league, { weeks: 1, from: '2029-12-31' })).rejects.toMatchObject(
    { status: 400 },
  );
  const { schedule, weeks, week } = await readSeason(t.db, league, t.clock.now());
  expect({ weeks, week }).toEqual({ weeks: 5, week: 0 });
  expect(schedule.map((one) => one.week)).toEqual([1, 2, 3, 4, 5]);
  const firstCycle = schedule.slice(0, 3);
  expect(new Set(firstCycle.map(({ bye }) => bye)).size).toBe(3);
  expect(
    new Set(
      firstCycle.flatMap(({ matchups }) => matchups.map((m) => [m.home, m.away].sort().join())),
    ),
  ).toEqual(new Set(['A,B', 'A,C', 'B,C']));
});

test('HAND-C10: the first week that is scheduled is week 1, and the league begins with that week', async () => {
  const league = await makeLeague(t, { starts: mondayOf('2030-01-07') });
  const team = await makeTeam(t, league, []);
  await makeTeam(t, league, []);
  const wanted = { weeks: 2, from: '2030-01-23' };
  const preview = await previewSchedule(t, league, wanted);
  expect(preview.map(({ week, from }) => [week, from])).toEqual([
    [1, '2030-01-21'],
    [2, '2030-01-28'],
  ]);
  const read = async () => (await readSeason(t.db, league, t.clock.now())).season.starts_on;
  expect(await read()).toBe('2030-01-07');
  await generateSchedule(t, league, wanted);
  const { schedule, season } = await readSeason(t.db, league, t.clock.now());
  expect(schedule).toEqual(preview);
  expect(season.starts_on).toBe('2030-01-21');
  const [listed] = await listLeagues(t.db, sql<boolean>`l.id = ${league.id}`);
  expect(listed?.starts_on).toBe('2030-01-21');
  const { rows } = await sql<{ from_week: string }>`
    select from_week from season_entries where team_id = ${team.id}`.execute(t.db);
  expect(rows).toEqual([{ from_week: '2030-01-21' }]);
  // Making later weeks does not move the start.
  await generateSchedule(t, league, { weeks: 1, from: '2030-03-04' });
  expect(await read()).toBe('2030-01-21');
});

test('HAND-C10, SEASON-34: a team that enters after the first week that is scheduled keeps its week', async () => {
  const league = await makeLeague(t, { starts: mondayOf('2030-01-07') });
  for (const name of ['A', 'B']) await makeTeam(t, league, [], { name });
  const late = await makeTeam(t, league, [], { name: 'Late' });
  await sql`update season_entries set from_week = '2030-01-28' where team_id = ${late.id}`.execute(
    t.db,
  );
  await generateSchedule(t, league, { weeks: 2, from: '2030-01-21' });
  const { schedule, rows } = await readSeason(t.db, league, t.clock.now());
  expect(schedule.map(({ matchups, bye }) => [matchups.length, bye === null])).toEqual([
    [1, true],
    [1, false],
  ]);
  expect(rows.find(({ team }) => team === 'Late')?.note).toBe('joined in week 2');
});

test('HAND-C10: a season with games keeps its start', async () => {
  const monday = weekOf(t.clock.now(), 'UTC');
  const league = await makeLeague(t, { starts: monday });
  const player = await makePlayer(t);
  await makeTeam(t, league, [player]);
  await makeTeam(t, league, []);
  await makeGames(t, await makeMachine(t), player, [{}]);
  await generateSchedule(t, league, { weeks: 1, from: addDays(monday, 7) });
  const { schedule, season } = await readSeason(t.db, league, t.clock.now());
  expect(season.starts_on).toBe(monday);
  expect(schedule[0]?.week).toBe(2);
});

test('concurrent calls fill different weeks, one after the other', async () => {
  const league = await makeLeague(t, { starts: '2030-01-07' });
  for (let n = 0; n < 4; n += 1) await makeTeam(t, league);
  const filled = await Promise.all(
    Array.from({ length: 4 }, () => generateSchedule(t, league, { weeks: 2 })),
  );
  expect(filled.flat().sort()).toEqual(
    Array.from({ length: 8 }, (_, at) => addDays('2030-01-07', 7 * at)),
  );
});
