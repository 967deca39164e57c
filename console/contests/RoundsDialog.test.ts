import { expect, test } from 'vitest';
import { withTime } from './RoundsDialog.tsx';

const round = (name: string, starts: string, ends: string) => ({
  ...{ name, starts: `2026-12-04T${starts}`, ends: `2026-12-04T${ends}` },
  ...{ begun: false, pairings: [] },
});

test('CUP-07: what comes after a round that moves or lasts longer moves along', () => {
  const rounds = [round('Semi-finals', '19:00', '20:15'), round('Final', '20:30', '21:45')];
  expect(withTime(rounds, 0, 'starts', '2026-12-05T18:30')).toMatchObject([
    { starts: '2026-12-05T18:30', ends: '2026-12-05T19:45' },
    { starts: '2026-12-05T20:00', ends: '2026-12-05T21:15' },
  ]);
  expect(withTime(rounds, 0, 'ends', '2026-12-04T20:30')).toMatchObject([
    { starts: '2026-12-04T19:00', ends: '2026-12-04T20:30' },
    { starts: '2026-12-04T20:45', ends: '2026-12-04T22:00' },
  ]);
  expect(withTime(rounds, 1, 'starts', '')).toEqual([rounds[0], { ...rounds[1], starts: '' }]);
});
