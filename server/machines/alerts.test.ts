import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeGames, makeMachine, makePlayer } from '#testing/app/make.ts';
import { type TestApp, testApp } from '#testing/app/test-app.ts';
import { findNamed } from '../db/reference.ts';
import { changeVenue, VENUES } from '../venues/venues.ts';
import { checkAlerts, HELD_MANY, MAIL_EVERY_MS } from './alerts.ts';
import { changeMachine, markRepair, revokeMachine, rotateMachine } from './machines.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAREK = 'marek@example.com';

let t: TestApp;
let machine: Awaited<ReturnType<typeof makeMachine>>;
beforeEach(async () => {
  t = await testApp();
  machine = await makeMachine(t, { name: 'Hoop 2', venue: 'Dockside' });
});
afterEach(() => t.close());

const check = () => checkAlerts(t, async () => [MAREK]);
const subjects = async () => (await t.mails(MAREK)).map(({ subject }) => subject).reverse();
const heard = (at = t.clock.now(), more = { clock: 0 }) =>
  sql`update machines set last_seen_at = ${at}, clock_error_ms = ${more.clock}
    where id = ${machine.id}`.execute(t.db);
const status = (body: object) =>
  t.call('PUT', '/api/machine/status/', { as: { key: machine.key }, body });

function goTo(time: string): void {
  t.clock.advance(Date.parse(time) - t.clock.now().getTime());
}
async function open(hours: string, timezone = 'Europe/Berlin') {
  await changeVenue(t.db, await findNamed(t.db, VENUES, 'Dockside'), { hours, timezone });
}

describe('MACH-15', () => {
  test('each outage causes one mail at its start and one at its end, even past midnight and across a clock change', async () => {
    await open('mon-thu 15:00-23:00, fri-sat 12:00-01:00, sun 12:00-22:00');
    // Clocks go back on Sunday 25 October 2026.
    goTo('2026-10-22T00:00:00+02:00');
    const on = (now: Date) => {
      const local = new Intl.DateTimeFormat('en-GB', {
        timeZone: 'Europe/Berlin',
        weekday: 'short',
        hour: 'numeric',
        minute: 'numeric',
      }).formatToParts(now);
      const part = (type: string) => local.find((one) => one.type === type)?.value ?? '';
      const time = Number(part('hour')) * 60 + Number(part('minute'));
      const day = part('weekday');
      const night = ['Sat', 'Sun'].includes(day) && time < 58;
      const hours: Record<string, [number, number]> = {
        Fri: [12 * 60 + 3, 24 * 60],
        Sat: [12 * 60 + 3, 24 * 60],
        Sun: [12 * 60 + 3, 22 * 60 - 2],
      };
      const [from, to] = hours[day] ?? [15 * 60 + 3, 23 * 60 - 2];
      return night || (time >= from && time < to);
    };
    const down = Date.parse('2026-10-24T23:30:00+02:00');
    const up = Date.parse('2026-10-25T00:40:00+02:00');
    const mailed: string[] = [];
    let known = 0;
    for (let minute = 0; minute < (4 * DAY + HOUR) / MINUTE; minute += 2) {
      const now = t.clock.now();
      if (on(now) && (now.getTime() < down || now.getTime() >= up)) await heard();
      const { mails } = await check();
      if (mails > 0) mailed.push(now.toISOString());
      known += mails;
      t.clock.advance(2 * MINUTE);
    }
    expect(await subjects()).toEqual(['Hoop 2 is silent', 'Hoop 2 is back']);
    expect(known).toBe(2);
    const [first = '', second = ''] = mailed;
    expect(Date.parse(first) - down).toBeLessThan(8 * MINUTE);
    expect(Date.parse(first) - down).toBeGreaterThanOrEqual(3 * MINUTE);
    expect(Date.parse(second) - Date.parse(first)).toBeGreaterThanOrEqual(HOUR);
    const [, begun] = await t.mails(MAREK);
    expect(begun?.text).toContain('Nothing was heard since Sat');
    expect(begun?.text).toContain('Dockside');
  }, 120_000);

  test('a machine that often fails and recovers causes at most one mail an hour', async () => {
    goTo('2026-12-04T12:00:00Z');
    const times: number[] = [];
    for (let minute = 0; minute < 360; minute += 1) {
      if (minute % 20 < 10) await heard();
      if ((await check()).mails > 0) times.push(minute);
      t.clock.advance(MINUTE);
    }
    expect(times.length).toBeGreaterThan(2);
    for (const [at, minute] of times.entries())
      if (at > 0) expect(minute - (times[at - 1] ?? 0)).toBeGreaterThanOrEqual(60);
    const seen = await subjects();
    expect(seen).toEqual(seen.map((_, at) => (at % 2 ? 'Hoop 2 is back' : 'Hoop 2 is silent')));
  });

  test('REL-15: mails continue after the clock was ahead', async () => {
    goTo('2026-12-05T12:00:00Z');
    await heard();
    t.clock.advance(10 * MINUTE);
    expect((await check()).mails).toBe(1);
    goTo('2026-12-04T12:00:00Z');
    await heard();
    expect((await check()).mails).toBe(1);
    expect(await subjects()).toEqual(['Hoop 2 is silent', 'Hoop 2 is back']);
  });

  test('many held games within an hour cause one mail, and the end of that alert causes another', async () => {
    goTo('2026-12-04T12:00:00Z');
    const player = await makePlayer(t);
    const hold = async (games: number) => {
      await heard();
      await makeGames(
        t,
        machine,
        player,
        Array.from({ length: games }, (_, at) => ({
          score: 1_000_000,
          played_at: new Date(t.clock.now().getTime() - at * 1_000),
        })),
      );
    };
    await hold(HELD_MANY - 1);
    expect((await check()).mails).toBe(0);
    await hold(1);
    expect((await check()).mails).toBe(1);
    expect((await check()).mails).toBe(0);
    t.clock.advance(HOUR);
    await heard();
    expect((await check()).mails).toBe(1);
    expect(await subjects()).toEqual([
      'Hoop 2: 50 held games within the hour',
      'Hoop 2: few games are held now',
    ]);
  });

  test('repair and revocation end a machine’s alerts without a mail, and start none', async () => {
    goTo('2026-12-04T12:00:00Z');
    t.clock.advance(10 * MINUTE);
    await markRepair(t, 'Hoop 2', 'Marek');
    await check();
    expect(await subjects()).toEqual([]);
    await markRepair(t, 'Hoop 2', null);
    await check();
    expect(await subjects()).toEqual(['Hoop 2 is silent']);
    await revokeMachine(t, 'Hoop 2');
    t.clock.advance(2 * MAIL_EVERY_MS);
    expect(await check()).toEqual({ alerts: 0, mails: 0 });
    await rotateMachine(t, 'Hoop 2');
    await heard();
    expect(await check()).toEqual({ alerts: 0, mails: 0 });
  });

  test('rejected games, a wrong clock and an expiring key are mailed, and so is the end of each alert', async () => {
    goTo('2026-12-04T12:00:00Z');
    await status({ rejected: 2 });
    await check();
    t.clock.advance(MAIL_EVERY_MS);
    await status({ rejected: 2 });
    await check();
    t.clock.advance(MAIL_EVERY_MS);
    await heard(t.clock.now(), { clock: 3 * MINUTE });
    await check();
    t.clock.advance(MAIL_EVERY_MS);
    await heard();
    await check();
    t.clock.advance(30 * MINUTE);
    const { key } = await rotateMachine(t, 'Hoop 2');
    t.clock.advance(45 * MINUTE);
    await heard();
    await check();
    t.clock.advance(14 * MINUTE);
    await t.call('GET', '/api/machine/', { as: { key } });
    t.clock.advance(2 * MINUTE);
    await heard();
    await check();
    t.clock.advance(HOUR);
    await heard();
    await check();
    t.clock.advance(352 * DAY);
    await heard();
    await check();
    expect(await subjects()).toEqual([
      'Hoop 2: games are rejected',
      'Hoop 2: games are recorded again',
      'Hoop 2: its clock is 3 min fast',
      'Hoop 2: its clock is right again',
      'Hoop 2 needs a new key',
      'Hoop 2 uses its new key',
      'Hoop 2 needs a new key',
    ]);
  });

  test('the end of rejected games is mailed with the time of the last of them', async () => {
    await open('fri 12:00-22:00', 'UTC');
    goTo('2026-12-04T12:10:00Z');
    await status({ rejected: 1 });
    await check();
    t.clock.advance(35 * MINUTE);
    await status({ rejected: 3 });
    await check();
    t.clock.advance(MAIL_EVERY_MS);
    await status({ rejected: 3 });
    await check();
    const [mail] = await t.mails(MAREK);
    expect(mail?.subject).toBe('Hoop 2: games are recorded again');
    expect(mail?.text).toContain('No game was rejected since Fri 12:45. 3 games lie on its disk.');
  });

  test('a new key that the machine does not use yet ends no alert, and the end of the old one is mailed', async () => {
    goTo('2026-12-04T12:00:00Z');
    await status({});
    t.clock.advance(352 * DAY);
    await status({});
    await check();
    t.clock.advance(2 * HOUR);
    const { key } = await rotateMachine(t, 'Hoop 2');
    await status({});
    expect((await check()).mails).toBe(0);
    t.clock.advance(45 * MINUTE);
    await status({});
    expect((await check()).mails).toBe(1);
    await t.call('GET', '/api/machine/', { as: { key } });
    t.clock.advance(MAIL_EVERY_MS);
    await heard();
    await check();
    expect(await subjects()).toEqual([
      'Hoop 2 needs a new key',
      'Hoop 2 needs a new key',
      'Hoop 2 uses its new key',
    ]);
  });

  test('MACH-22: when an old key ends before the new one is used, the mail says that no key works', async () => {
    goTo('2026-12-04T12:00:00Z');
    await status({});
    await rotateMachine(t, 'Hoop 2');
    t.clock.advance(45 * MINUTE);
    await status({});
    await check();
    t.clock.advance(HOUR);
    await check();
    expect(await subjects()).toEqual(['Hoop 2 needs a new key', 'Hoop 2 has no working key']);
  });

  test('one mail has all news of a venue, and no mail is sent outside opening hours', async () => {
    await open('fri 12:00-22:00', 'UTC');
    const second = await makeMachine(t, { name: 'Hoop 3', venue: 'Dockside' });
    await makeMachine(t, { name: 'Far', venue: 'Elsewhere' });
    const recipients = async (_: unknown, venue: number | null) =>
      venue === second.venue_id ? [MAREK, 'ines@example.com'] : [];
    goTo('2026-12-04T11:00:00Z');
    expect((await checkAlerts(t, recipients)).mails).toBe(0);
    goTo('2026-12-04T12:04:00Z');
    expect((await checkAlerts(t, recipients)).mails).toBe(0);
    goTo('2026-12-04T12:06:00Z');
    expect((await checkAlerts(t, recipients)).mails).toBe(2);
    expect(await subjects()).toEqual(['Hoop 2 is silent, and 1 more']);
    await changeMachine(t, second, { venue: 'Elsewhere' });
    goTo('2026-12-04T23:00:00Z');
    await heard();
    expect((await checkAlerts(t, recipients)).mails).toBe(0);
    goTo('2026-12-11T12:01:00Z');
    await heard();
    expect((await checkAlerts(t, recipients)).mails).toBe(2);
    expect((await subjects()).at(-1)).toBe('Hoop 2 is back');
  });
});
