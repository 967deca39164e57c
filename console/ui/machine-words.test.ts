import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { MachineCard } from '#contract/wire/machines.ts';
import {
  announcedWords,
  clockWords,
  dayAndTimeIn,
  handOf,
  inOrder,
  queueWords,
  spanOf,
  stateWords,
} from './machine-words.ts';

beforeAll(() => {
  vi.stubEnv('TZ', 'Europe/Berlin');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const now = new Date('2026-11-20T21:04:00Z');
const card = (more: Partial<MachineCard> = {}): MachineCard => ({
  id: '1',
  name: 'Hoop 2',
  venue: 'Dockside Arcade',
  timezone: 'Europe/Berlin',
  state: 'idle',
  since: null,
  revoked: false,
  keyless: false,
  repair_by: null,
  repair_why: null,
  heard_at: '2026-11-20T21:03:50Z',
  clock_error_ms: 400,
  clock_since: null,
  reported_at: '2026-11-20T20:40:00Z',
  queued: 2,
  oldest_played_at: '2026-11-20T20:38:00Z',
  rejected: 0,
  software: '1.4.2',
  player: null,
  greeted_at: null,
  last_game: null,
  games: 52,
  hours: [],
  ...more,
});
const silent = card({ state: 'silent', since: '2026-11-20T20:40:00Z' });

test('MACH-38: a silent machine is under “Needs a hand”, with times on the venue’s clock', () => {
  expect(stateWords(silent, now)).toBe('Silent since 21:40');
  expect(handOf(silent, now)).toEqual({
    title: 'Hoop 2 is silent',
    about: 'Since 21:40, for 24 min. Dockside Arcade',
    act: 'Look',
  });
});

test('MACH-16: a silent machine is announced, and again when it calls, but not when its venue closes', () => {
  expect(announcedWords(silent, 'idle')).toBe('Hoop 2 is silent');
  expect(announcedWords(silent, 'silent')).toBeNull();
  expect(announcedWords(card({ state: 'refused' }), 'idle')).toBe('Hoop 2: its key is refused');
  expect(announcedWords(card({ state: 'playing' }), 'silent')).toBe('Hoop 2 is back');
  expect(announcedWords(card({ state: 'clock' }), 'refused')).toBe('Hoop 2 is back');
  expect(announcedWords(card({ state: 'closed' }), 'silent')).toBeNull();
  expect(announcedWords(card({ state: 'repair' }), 'silent')).toBeNull();
  expect(announcedWords(card({ state: 'idle' }), 'repair')).toBeNull();
});

test('MACH-16: a refused key and a wrong clock are under “Needs a hand”, a revoked machine is not', () => {
  expect(handOf(card({ state: 'refused' }), now)?.act).toBe('New key');
  expect(handOf(card({ state: 'refused', revoked: true }), now)).toBeNull();
  expect(handOf(card({ state: 'refused', keyless: true }), now)).toMatchObject({
    title: expect.stringMatching(/ has no working key$/),
    act: 'Look',
  });
  expect(handOf(card({ state: 'clock', clock_error_ms: 180_000 }), now)?.title).toBe(
    'Hoop 2: clock 3 min fast',
  );
  for (const state of ['playing', 'idle', 'closed', 'repair'] as const)
    expect(handOf(card({ state }), now)).toBeNull();
});

test('MACH-38: a card shows the queue of the last status, and that status’s time if silent', () => {
  expect(queueWords(card())).toEqual(['2 waiting', ', the oldest from 21:38']);
  expect(queueWords(silent)).toEqual(['2 waiting', ' at 21:40']);
  expect(queueWords(card({ queued: 0 }))).toEqual(['', 'Nothing waiting']);
  expect(queueWords(card({ queued: null }))).toEqual(['', 'Queue not reported']);
});

test('on a device in another time zone, a venue’s time shows its offset', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(stateWords(silent, now)).toBe('Silent since 21:40 GMT+1');
  expect(dayAndTimeIn('2026-11-20T20:40:00Z', 'Europe/Berlin')).toBe('Fri 20 Nov, 21:40 GMT+1');
  vi.stubEnv('TZ', 'Europe/Berlin');
});

test('cards of machines with trouble come first, cards of machines in repair last', () => {
  const of = (name: string, state: MachineCard['state']) => card({ name, state });
  const cards = [of('B', 'repair'), of('10', 'idle'), of('9', 'playing'), of('C', 'silent')];
  expect(inOrder(cards).map(({ name }) => name)).toEqual(['C', '9', '10', 'B']);
});

test('durations and clock errors are written in words', () => {
  expect(spanOf('2026-11-20T21:03:30Z', now)).toBe('0 min');
  expect(spanOf('2026-11-20T18:59:00Z', now)).toBe('2 h 5 min');
  expect(spanOf('2026-11-16T18:59:00Z', now)).toBe('4 days');
  expect([clockWords(null), clockWords(20), clockWords(-450), clockWords(200_000)]).toEqual([
    'Not reported',
    'On time',
    '0.5 s slow',
    '3 min fast',
  ]);
});

test('days and times follow the given zone’s clock', () => {
  expect(dayAndTimeIn('2026-11-20T23:30:00Z', 'Europe/Berlin')).toBe('Sat 21 Nov, 00:30');
  expect(dayAndTimeIn('2026-11-20T23:30:00Z', 'America/New_York')).toBe('Fri 20 Nov, 18:30 GMT-5');
});
