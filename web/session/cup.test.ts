import { expect, test } from 'vitest';
import { cupText } from './cup.ts';

const cup = {
  id: '1',
  name: 'Finals night',
  pairing: 'Semi-final',
  now: '2026-11-27T21:11:00.000Z',
  starts_at: '2026-11-27T20:30:00.000Z',
  ends_at: '2026-11-27T21:45:00.000Z',
  ahead: 212,
  games_left: 2,
  known: true,
  kind: 'players' as const,
};

test('CUP-31: the strip says how the pairing stands, and how long the pairing lasts', () => {
  expect(cupText(cup)).toBe('Semi-final: you are ahead by 212. 34 min left');
  expect(cupText({ ...cup, ahead: -1_200 })).toBe(
    'Semi-final: you are behind by 1,200. 34 min left',
  );
  expect(cupText({ ...cup, ahead: 0 })).toBe('Semi-final: you are level. 34 min left');
  expect(cupText({ ...cup, known: false })).toContain('your opponent is not known yet');
  expect(cupText({ ...cup, now: cup.ends_at })).toBe('Semi-final: last games are coming in');
  expect(cupText({ ...cup, ends_at: '2026-12-02T00:00:00.000Z' })).toContain('4 days left');
  expect(cupText({ ...cup, now: '2026-11-27T20:00:00.000Z' })).toBe('Semi-final: begins in 30 min');
});
