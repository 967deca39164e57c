import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { BACKUP_OLD_MS, MAIL_LATE_MS } from '#contract/rules/system.ts';
import type { Tonight } from '#contract/wire/tonight.ts';
import {
  goToMidweek,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeStaff,
  makeTeam,
} from '#testing/app/make.ts';
import { OPERATOR_KEY, testApp, withApp } from '#testing/app/test-app.ts';
import { findNamed } from '../db/reference.ts';
import { weekOf } from '../leagues/calendar.ts';
import { generateSchedule } from '../leagues/schedule.ts';
import { SILENT_MS } from '../machines/state.ts';
import { changeVenue, VENUES } from '../venues/venues.ts';
import { sharedNight } from './tonight.ts';

const HOUR = 3_600_000;
const t = withApp();

const asKey = { as: { key: OPERATOR_KEY } };
const ago = (ms: number) => new Date(t.clock.now().getTime() - ms);
const status = (machine: { key: string }, body: object) =>
  t.call('PUT', '/api/machine/status/', { as: { key: machine.key }, body });

describe('MACH-16: tonight', () => {
  test('has the machines, the hours, the inbox and the week of the league', async () => {
    goToMidweek(t);
    const [here, there] = [
      await makeMachine(t, { name: 'Hoop 1', venue: 'Dockside' }),
      await makeMachine(t, { name: 'Hoop 2', venue: 'Dockside' }),
    ];
    await makeMachine(t, { name: 'Far', venue: 'Station' });
    for (const venue of ['Dockside', 'Station'])
      await changeVenue(t.db, await findNamed(t.db, VENUES, venue), {
        hours: 'mon-sun 08:00-23:00',
      });
    const [one, two] = [await makePlayer(t, { username: 'Maya' }), await makePlayer(t)];
    const league = await makeLeague(t, { name: 'Dock League' });
    await makeTeam(t, league, [one], { name: 'Home' });
    await makeTeam(t, league, [two], { name: 'Away' });
    const from = t.clock.now().toISOString().slice(0, 10);
    await generateSchedule(t, league, { weeks: 2, from });
    // It is noon now, so the game of 20 hours ago belongs to the previous opening day.
    await makeGames(t, here, one, [
      { score: 100, played_at: ago(10 * 60_000) },
      { score: 200, played_at: ago(90 * 60_000) },
      { score: 300, played_at: ago(20 * HOUR) },
    ]);
    await makeGames(t, there, two, [{ score: 99_999, played_at: ago(60_000) }]);
    await status(here, { queued: 9, software: '1.4.2', oldest_played_at: ago(1).toISOString() });
    await t.call('GET', `/api/machine/players/${one.uuid}/`, { as: { key: here.key } });

    const { status: code, body } = await t.call('GET', '/api/operator/tonight/', asKey);
    expect(code).toBe(200);
    expect(body.night).toMatchObject({ games: 3, players: 2, open: true, hours: [0, 0, 1, 2, 0] });
    expect(
      body.machines.map(({ name, state }: { name: string; state: string }) => [name, state]),
    ).toEqual([
      ['Far', 'closed'],
      ['Hoop 1', 'playing'],
      ['Hoop 2', 'closed'],
    ]);
    expect(body.machines[1]).toMatchObject({
      games: 2,
      queued: 9,
      player: { username: 'Maya' },
      last_game: { score: 100, username: 'Maya' },
      hours: [0, 0, 1, 1, 0],
    });
    expect(body.held).toEqual({ count: 1, oldest_at: expect.any(String) });
    expect(body.reports.count).toBe(0);
    expect(body.leagues).toMatchObject([
      {
        name: 'Dock League',
        week: 1,
        weeks: 2,
        matchups: [{ home: { max: 8 }, away: { max: 8 } }],
      },
    ]);
    // The next change: the greeting ends or the machine is silent, whichever is first.
    const wait = Date.parse(body.until) - Date.parse(body.server_time);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(SILENT_MS);

    const only = await t.call('GET', '/api/operator/tonight/?venue=Station', asKey);
    expect(only.body.machines).toHaveLength(1);
    expect(only.body.night.games).toBe(0);
  });

  test('MACH-16: tonight says when the next season begins in a league whose weeks are over', async () => {
    goToMidweek(t);
    const league = await makeLeague(t, { name: 'Winter League' });
    for (const player of [await makePlayer(t), await makePlayer(t)])
      await makeTeam(t, league, [player]);
    const now = t.clock.now().toISOString().slice(0, 10);
    await generateSchedule(t, league, { weeks: 1, from: now });
    const shown = async () => {
      const { body } = await t.call('GET', '/api/operator/tonight/', asKey);
      const { leagues, between } = body as Tonight;
      return {
        running: leagues.some(({ name }) => name === league.name),
        between: between.filter(({ name }) => name === league.name),
      };
    };
    const id = String(league.id);
    expect(await shown()).toEqual({ running: true, between: [] });
    t.clock.advance(7 * 24 * HOUR);
    const over = { id, name: league.name };
    expect(await shown()).toEqual({ running: false, between: [{ ...over, next: null }] });
    const starts = t.clock.now().getTime() + 14 * 24 * HOUR;
    await sql`update seasons set last_week = ${weekOf(ago(7 * 24 * HOUR), 'UTC')}
      where league_id = ${id}`.execute(t.db);
    const made = await t.call('POST', '/api/operator/seasons/next/', {
      ...asKey,
      body: { league: league.name, starts: new Date(starts).toISOString().slice(0, 10), weeks: 1 },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const next = weekOf(new Date(starts), 'UTC');
    expect(await shown()).toEqual({ running: false, between: [{ ...over, next }] });
    t.clock.advance(14 * 24 * HOUR);
    expect(await shown()).toEqual({ running: true, between: [] });
  });

  test('counts neither games from after closing nor their players', async () => {
    goToMidweek(t);
    const hoop = await makeMachine(t, { venue: 'Early Bowl' });
    await changeVenue(t.db, await findNamed(t.db, VENUES, 'Early Bowl'), {
      hours: 'mon-sun 08:00-11:00',
    });
    await makeGames(t, hoop, await makePlayer(t), [{ played_at: ago(90 * 60_000) }]);
    await makeGames(t, hoop, await makePlayer(t), [{ played_at: ago(10 * 60_000) }]);
    const { body } = await t.call('GET', '/api/operator/tonight/?venue=Early Bowl', asKey);
    expect(body.night).toMatchObject({ games: 1, players: 1 });
    const page = await t.call('GET', `/api/operator/machines/page/?machine=${hoop.id}`, asKey);
    expect(page.body.night).toMatchObject({ open: false, players: 1 });
  });

  test('SCREEN-05: at a venue that never closes, a night runs from 06:00 to 06:00, as on its screens', async () => {
    goToMidweek(t);
    for (const [venue, hours] of [
      ['Night Bowl', null],
      ['Day and Night Bowl', 'mon-sun 00:00-24:00'],
    ] as const) {
      const hoop = await makeMachine(t, { venue });
      const found = await findNamed(t.db, VENUES, venue);
      await changeVenue(t.db, found, { hours });
      // It is noon, so one of these games is from before 06:00.
      await makeGames(t, hoop, await makePlayer(t), [
        { played_at: ago(7 * HOUR) },
        { played_at: ago(5 * HOUR) },
      ]);
      const { body } = await t.call('GET', `/api/operator/tonight/?venue=${venue}`, asKey);
      const six = `${t.clock.now().toISOString().slice(0, 10)}T06:00:00.000Z`;
      expect(body.night).toMatchObject({ opens: six, open: true, games: 1, players: 1 });
    }
  });

  test('SCREEN-05: the night on which the clocks go back has 25 hours', async () => {
    const app = await testApp();
    const hoop = await makeMachine(app, { venue: 'Night Bowl' });
    const found = await findNamed(app.db, VENUES, 'Night Bowl');
    await changeVenue(app.db, found, { timezone: 'Europe/London', hours: null });
    const year = app.clock.now().getUTCFullYear() + 1;
    const lastSunday = 31 - new Date(Date.UTC(year, 9, 31)).getUTCDay();
    // It is 05:45 in winter time. The night began at 06:00 the day before, in summer time.
    const now = Date.UTC(year, 9, lastSunday, 5, 45);
    app.clock.advance(now - app.clock.now().getTime());
    await makeGames(app, hoop, await makePlayer(app), [{ played_at: new Date(now - 60_000) }]);
    const { body } = await app.call('GET', '/api/operator/tonight/', asKey);
    expect(body.night.hours).toHaveLength(25);
    expect(body.night).toMatchObject({ open: true, games: 1, players: 1 });
    const page = await app.call('GET', `/api/operator/machines/page/?machine=${hoop.id}`, asKey);
    expect(page.body.night).toMatchObject({ open: true, players: 1 });
    await app.close();
  });

  test('STAFF-02 MACH-14: held games and reports are counted as in the Inbox, even after a machine moved', async () => {
    goToMidweek(t);
    const hoop = await makeMachine(t, { venue: 'Old Hall' });
    await makeMachine(t, { venue: 'New Hall' });
    const player = await makePlayer(t);
    await makeGames(t, hoop, player, [{ score: 99_999, played_at: ago(120_000) }]);
    const [counted] = await makeGames(t, hoop, player, [{ played_at: ago(60_000) }]);
    const session = await makeSession(t, player);
    const path = `/api/users/profile/games/${counted?.id}/report/`;
    await t.call('POST', path, { as: session, body: { reason: 'not_mine' } });
    t.clock.advance(1_000);
    const body = { machine: hoop.name, venue: 'New Hall' };
    await t.call('POST', '/api/operator/machines/change/', { ...asKey, body });
    const waiting = async (headers: Record<string, string>, query = '') => {
      const tonight = await t.call('GET', `/api/operator/tonight/${query}`, { headers });
      return [tonight.body.held, tonight.body.reports];
    };
    for (const [venue, count] of [
      ['Old Hall', 1],
      ['New Hall', 0],
    ] as const) {
      const { headers } = await makeStaff(t, { role: 'manager', venues: [venue] });
      const inbox = await t.call('GET', '/api/operator/inbox/', { headers });
      expect(inbox.body).toMatchObject({ held: count, reports: count });
      const time = count === 1 ? expect.any(String) : null;
      const same = { count, oldest_at: time };
      expect(await waiting(headers)).toEqual([same, same]);
      // The staff of the new venue do not see the games from before the move.
      const { body } = await t.call('GET', `/api/operator/tonight/?venue=${venue}`, { headers });
      expect([body.night.games, body.night.players]).toEqual([0, 0]);
      const owner = await makeStaff(t, { role: 'owner' });
      expect(await waiting(owner.headers, `?venue=${venue}`)).toEqual([same, same]);
    }
  });

  test('HAND-C7: one number counts the machines in need and the open cases that staff reach', async () => {
    goToMidweek(t);
    const venue = 'Ball Hall';
    const bad = await makeMachine(t, { venue });
    const revoked = await makeMachine(t, { venue });
    const repaired = await makeMachine(t, { venue });
    await makeMachine(t, { venue: 'Other Hall' });
    for (const hall of [venue, 'Other Hall'])
      await changeVenue(t.db, await findNamed(t.db, VENUES, hall), { hours: null });
    const revoke = { machine: revoked.name };
    await t.call('POST', '/api/operator/machines/revoke/', { ...asKey, body: revoke });
    const repair = { machine: repaired.name };
    await t.call('POST', '/api/operator/machines/repair/', { ...asKey, body: repair });
    const [player, asking] = [await makePlayer(t), await makePlayer(t)];
    const team = await makeTeam(t, await makeLeague(t, { venue }), []);
    const [, game] = await makeGames(t, bad, player, [
      { score: 99_999, played_at: ago(120_000) },
      { score: 99, played_at: ago(60_000) },
    ]);
    await t.call('POST', `/api/users/profile/games/${game?.id}/report/`, {
      as: await makeSession(t, player),
      body: { reason: 'not_mine' },
    });
    await t.db
      .insertInto('join_requests')
      .values({ player_id: asking.id, team_id: team.id, asked_at: ago(60_000) })
      .execute();
    const read = async (role: 'floor' | 'manager' | 'owner', place?: string) => {
      const venues = role === 'owner' ? [] : [place ?? venue];
      const { headers } = await makeStaff(t, { role, venues });
      const get = async (path: string) => (await t.call('GET', path, { headers })).body;
      const count = await get('/api/operator/tonight/count/');
      const tonight = await get('/api/operator/tonight/');
      expect(tonight.number).toBe(count.number);
      for (const kind of ['held', 'reports', 'requests'])
        expect(tonight[kind].count).toBe(count[kind]);
      return count;
    };
    // At these venues, machines are silent five minutes after they were added.
    const calm = { server_time: expect.any(String), until: expect.any(String) };
    expect(await read('manager')).toEqual({
      ...calm,
      ...{ number: 3, held: 1, reports: 1, requests: 1 },
    });
    t.clock.advance(SILENT_MS);
    expect(await read('manager')).toMatchObject({ number: 4, held: 1, reports: 1, requests: 1 });
    expect(await read('floor')).toMatchObject({ number: 1, held: 0, reports: 0, requests: 0 });
    expect(await read('manager', 'Other Hall')).toMatchObject({ number: 1, requests: 0 });
    const all = await read('owner');
    const { headers } = await makeStaff(t, { role: 'owner' });
    const path = '/api/operator/tonight/?venue=Ball%20Hall';
    const here = (await t.call('GET', path, { headers })).body;
    expect(here).toMatchObject({
      number: 4,
      requests: { count: 1, oldest_at: expect.any(String) },
    });
    expect(all.number).toBeGreaterThan(here.number);
  });

  test('MACH-14: a machine that moved shows no game from before the move', async () => {
    goToMidweek(t);
    const hoop = await makeMachine(t, { venue: 'Left Hall' });
    await makeMachine(t, { venue: 'Next Hall' });
    const player = await makePlayer(t);
    const read = async () => {
      const { body } = await t.call(
        'GET',
        `/api/operator/machines/page/?machine=${hoop.id}`,
        asKey,
      );
      const { last_game, games } = body.machine;
      return [body.games.length, body.night.players, games, last_game?.username ?? null];
    };
    await makeGames(t, hoop, player, [{ played_at: ago(120_000) }]);
    expect(await read()).toEqual([1, 1, 1, player.username]);
    t.clock.advance(1_000);
    const body = { machine: hoop.name, venue: 'Next Hall' };
    await t.call('POST', '/api/operator/machines/change/', { ...asKey, body });
    expect(await read()).toEqual([0, 0, 0, null]);
    t.clock.advance(1_000);
    // Played before the move, and received after it.
    await makeGames(t, hoop, player, [{ played_at: ago(60_000) }]);
    expect(await read()).toEqual([1, 1, 1, player.username]);
  });

  test('tonight names the staff who get mails, and the steps that are done', async () => {
    const { name } = await makeStaff(t, { role: 'owner' });
    const body = { staff: name, email: 'ines@example.com' };
    await t.call('POST', '/api/operator/alerts/', { ...asKey, body });
    const tonight = await t.call('GET', '/api/operator/tonight/', asKey);
    expect(tonight.body.mails_to).toEqual([name]);
    const hoop = await makeMachine(t, { venue: 'Mailed Hall' });
    const local = await makeStaff(t, { role: 'manager', venues: ['Mailed Hall'] });
    const theirs = { staff: local.name, email: 'lena@example.com' };
    await t.call('POST', '/api/operator/alerts/', { ...asKey, body: theirs });
    const seen = await t.call('GET', '/api/operator/tonight/', { headers: local.headers });
    expect(seen.body.mails_to.toSorted()).toEqual([name, local.name].toSorted());
    const page = await t.call('GET', `/api/operator/machines/page/?machine=${hoop.id}`, asKey);
    expect(page.body.mails_to.toSorted()).toEqual([name, local.name].toSorted());
    expect(tonight.body.steps).toMatchObject({ machines: true, leagues: true });
  });

  test('STAFF-27: an owner sees a mail that waits for long and an old backup, and nobody else does', async () => {
    const [owner, manager] = [
      await makeStaff(t, { role: 'owner' }),
      await makeStaff(t, { role: 'manager' }),
    ];
    const tonight = async ({ headers }: typeof owner) =>
      (await t.call('GET', '/api/operator/tonight/', { headers })).body;
    const read = async (one: typeof owner) => (await tonight(one)).system;
    const backUp = (at: Date) =>
      t.db.insertInto('backups').values({ at, who: 'Command line', bytes: 1 }).execute();
    const none = { mail_since: null, old_backup: null };
    await sql`update staff set created_at = ${new Date(t.clock.now().getTime() - BACKUP_OLD_MS)}
      where created_at = (select min(created_at) from staff)`.execute(t.db);
    expect(await read(owner)).toEqual({ ...none, old_backup: { at: null } });
    // Each is a minute from being late.
    const at = new Date(t.clock.now().getTime() - BACKUP_OLD_MS + 60_000);
    const since = new Date(t.clock.now().getTime() - MAIL_LATE_MS + 60_000);
    await backUp(at);
    const listed = vi.spyOn(t.mail, 'listWaiting').mockResolvedValue([{ since, tries: 3 }]);
    const before = await tonight(owner);
    expect(before.system).toEqual(none);
    expect(Date.parse(before.until)).toBeLessThanOrEqual(since.getTime() + MAIL_LATE_MS);
    t.clock.advance(60_000);
    const late = { mail_since: since.toISOString(), old_backup: { at: at.toISOString() } };
    expect(await read(owner)).toEqual(late);
    expect(await read(manager)).toEqual(none);
    await backUp(t.clock.now());
    listed.mockResolvedValue([]);
    expect(await read(owner)).toEqual(none);
  });

  test('an opening day shared by several venues begins with the earliest opening of today', () => {
    const now = new Date('2026-11-20T20:00:00Z');
    const night = (opens: string, closes: string) => ({
      opens: new Date(opens),
      closes: new Date(closes),
    });
    const late = night('2026-11-20T15:00:00Z', '2026-11-21T01:00:00Z');
    const early = night('2026-11-20T10:00:00Z', '2026-11-20T18:00:00Z');
    const old = night('2026-11-15T10:00:00Z', '2026-11-15T18:00:00Z');
    expect(sharedNight([late, early, old], now)).toEqual({
      opens: early.opens,
      closes: late.closes,
    });
    expect(sharedNight([old], now)).toEqual(old);
  });
});

test('MACH-17: the page of a machine has its games, times away and keys', async () => {
  const machine = await makeMachine(t, { name: 'Hoop 9', venue: 'Dockside' });
  const player = await makePlayer(t, { username: 'Ravi' });
  await status(machine, {});
  t.clock.advance(10 * 60_000);
  await status(machine, { queued: 2 });
  await makeGames(t, machine, player, [{ score: 318 }]);
  const { status: code, body } = await t.call(
    'GET',
    '/api/operator/machines/page/?machine=hoop%209',
    asKey,
  );
  expect(code).toBe(200);
  expect(body.machine).toMatchObject({ name: 'Hoop 9', state: 'idle', queued: 2, games: 1 });
  expect(body.games).toMatchObject([
    { score: 318, player: { username: 'Ravi' }, counts: 'no_team', state: 'counted' },
  ]);
  expect(body.away).toMatchObject([{ closed: false }]);
  expect(body.keys).toMatchObject([{ ends_at: null }]);
  expect(JSON.stringify(body)).not.toContain('bbm_');
});
