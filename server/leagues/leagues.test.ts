import { expect, test } from 'vitest';
import { makeLeague, makePlayer, makeTeam } from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { findNamed } from '../db/reference.ts';
import { weekOf } from './calendar.ts';
import { createLeague, createTeam, createTeams, LEAGUES, listLeagues, TEAMS } from './leagues.ts';
import { generateSchedule } from './schedule.ts';

const t = withApp();

test('a league begins on a Monday, by default the Monday of this week', async () => {
  const league = await createLeague(t, { name: 'Dockside', timezone: 'europe/berlin' });
  expect(league).toMatchObject({
    name: 'Dockside',
    timezone: 'Europe/Berlin',
    starts_on: weekOf(t.clock.now(), 'Europe/Berlin'),
  });
  const later = await createLeague(t, { name: 'Later', timezone: 'UTC', starts: '2031-01-01' });
  expect(later.starts_on).toBe('2030-12-30');
  await expect(createLeague(t, { name: 'DOCKSIDE', timezone: 'UTC' })).rejects.toMatchObject({
    status: 409,
  });
});

test('a zone that is not in the IANA database is refused', async () => {
  for (const timezone of ['', 'CEST', '+01:00', '-5', 'Mars/Olympus', 'UTC; drop table leagues'])
    await expect(createLeague(t, { name: `In ${timezone}`, timezone })).rejects.toMatchObject({
      status: 400,
      body: { timezone: [expect.any(String)] },
    });
});

test('leagues and teams are found by case-insensitive name, or by id', async () => {
  const league = await makeLeague(t, { name: 'Élite 1' });
  const team = await makeTeam(t, league, [], { name: 'Rim Reapers' });
  expect(await findNamed(t.db, LEAGUES, 'ÉLITE 1')).toEqual(league);
  expect(await findNamed(t.db, LEAGUES, String(league.id))).toEqual(league);
  expect(await findNamed(t.db, TEAMS, 'RIM reapers')).toEqual(team);
  expect(await findNamed(t.db, TEAMS, String(team.id))).toEqual(team);
  const namesake = await makeLeague(t, { name: String(league.id) });
  expect(await findNamed(t.db, LEAGUES, String(league.id))).toEqual(namesake);
  expect(await findNamed(t.db, LEAGUES, `id:${league.id}`)).toEqual(league);
  const digits = await makeTeam(t, namesake, [], { name: String(team.id) });
  expect(await findNamed(t.db, TEAMS, String(team.id))).toEqual(digits);
  expect(await findNamed(t.db, TEAMS, `id:${team.id}`)).toEqual(team);
  await expect(findNamed(t.db, LEAGUES, 'nowhere')).rejects.toMatchObject({ status: 404 });
  await expect(findNamed(t.db, TEAMS, 'nobody')).rejects.toMatchObject({ status: 404 });
  await expect(createTeam(t, league, 'rim reapers')).rejects.toMatchObject({ status: 409 });
  const twin = await makeTeam(t, await makeLeague(t), [], { name: 'Rim Reapers' });
  const ambiguous = await findNamed(t.db, TEAMS, 'Rim Reapers').catch((error) => error);
  expect(ambiguous).toMatchObject({ status: 409 });
  expect(ambiguous.body.detail).toContain(`${team.id} (Élite 1), ${twin.id} (`);
});

test('HAND-C3: one call makes several teams, all or none', async () => {
  const league = await makeLeague(t);
  const make = (...names: string[]) =>
    t.db.transaction().execute((trx) => createTeams({ ...t, db: trx }, league, names));
  const names = Array.from({ length: 40 }, (_, at) => `Team ${at}`);
  expect((await make(...names)).map(({ name }) => name)).toEqual(names);
  const refused = (wrong: string[], detail: string) =>
    expect(make(...wrong)).rejects.toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(detail) },
    });
  await refused(['New', 'TEAM 7'], 'a team called “TEAM 7” already');
  await refused(['Twice', 'twice'], '“twice” is in the list twice.');
  const { teams } = (await listLeagues(t.db)).find(({ name }) => name === league.name) ?? {};
  expect(teams).toBe(40);
});

test('the list of leagues has the numbers of teams and players', async () => {
  const league = await makeLeague(t, { name: 'Sized', starts: '2030-01-07' });
  await makeTeam(t, league, [await makePlayer(t), await makePlayer(t)]);
  await makeTeam(t, league, [await makePlayer(t)]);
  await generateSchedule(t, league, { weeks: 2 });
  const found = (await listLeagues(t.db)).find(({ name }) => name === 'Sized');
  expect(found).toMatchObject({
    teams: 2,
    players: 3,
    seasons: [{ starts_on: expect.any(String), last: '2030-01-14', pauses: [] }],
  });
});
