import { expect, test } from 'vitest';
import { movedWindows, withTime } from './RoundsDialog.tsx';
import { dayShown, timeOfDay } from './WindowField.tsx';

const window = (pairing: string, starts: string, ends: string, begun = false) => ({
  ...{ pairing, begun, starts: `2026-12-04T${starts}`, ends: `2026-12-04T${ends}` },
});
const round = (
  name: string,
  windows: ReturnType<typeof window>[],
  starts: string,
  ends: string,
) => ({ ...window(name, starts, ends), name, begun: windows.some(({ begun }) => begun), windows });

const SEMIS = round('Semi-finals', [window('0-0', '19:00', '20:15')], '19:00', '20:15');
const FINAL = round('Final', [window('1-0', '20:30', '21:45')], '20:30', '21:45');

test('CUP-07: when a round moves or lasts longer, later rounds move by the same time', () => {
  const rounds = [SEMIS, FINAL];
  expect(withTime(rounds, 0, 'starts', '2026-12-05T18:30')).toMatchObject([
    { starts: '2026-12-05T18:30', ends: '2026-12-05T19:45' },
    { starts: '2026-12-05T20:00', ends: '2026-12-05T21:15' },
  ]);
  expect(withTime(rounds, 0, 'ends', '2026-12-04T20:30')).toMatchObject([
    { starts: '2026-12-04T19:00', ends: '2026-12-04T20:30' },
    { starts: '2026-12-04T20:45', ends: '2026-12-04T22:00' },
  ]);
});

test('CUP-07: after a time is cleared and typed again, the round moves from its old time', () => {
  const cleared = withTime([SEMIS, FINAL], 0, 'starts', '');
  expect(cleared).toEqual([{ ...SEMIS, starts: '' }, FINAL]);
  expect(movedWindows([SEMIS, FINAL], cleared)).toEqual([]);
  expect(withTime(cleared, 0, 'starts', '2026-12-04T19:30')).toMatchObject([
    { starts: '2026-12-04T19:30', ends: '2026-12-04T20:45' },
    { starts: '2026-12-04T21:00', ends: '2026-12-04T22:15' },
  ]);
});

test('CUP-07: when a round moves, a pairing that was moved alone moves by the same time', () => {
  const own = [window('0-0', '19:00', '20:15'), window('0-1', '19:20', '20:45')];
  const rounds = [round('Semi-finals', own, '19:00', '20:45'), FINAL];
  const at = (time: string) => `2026-12-04T${time}`;
  expect(movedWindows(rounds, withTime(rounds, 0, 'starts', at('19:10')))).toEqual([
    { pairing: '0-0', starts: at('19:10'), ends: at('20:25') },
    { pairing: '0-1', starts: at('19:30'), ends: at('20:55') },
    { pairing: '1-0', starts: at('20:40'), ends: at('21:55') },
  ]);
  expect(movedWindows(rounds, withTime(rounds, 0, 'ends', at('20:50')))).toMatchObject([
    { starts: at('19:00'), ends: at('20:20') },
    { starts: at('19:20'), ends: at('20:50') },
    { pairing: '1-0' },
  ]);
  expect(movedWindows(rounds, withTime(rounds, 1, 'ends', at('22:00')))).toEqual([
    { pairing: '1-0', starts: at('20:30'), ends: at('22:00') },
  ]);
});

test('CUP-07: a start that has passed does not move, and is not sent', () => {
  const own = [window('0-0', '19:00', '20:15', true), window('0-1', '19:20', '20:15')];
  const rounds = [round('Semi-finals', own, '19:00', '20:15')];
  expect(movedWindows(rounds, withTime(rounds, 0, 'ends', '2026-12-04T20:30'))).toEqual([
    { pairing: '0-0', ends: '2026-12-04T20:30' },
    { pairing: '0-1', starts: '2026-12-04T19:20', ends: '2026-12-04T20:30' },
  ]);
});

test('CUP-07: a window of whole weeks is shown and typed as its first and last day', () => {
  expect(dayShown('2026-11-30T00:00', 'begin')).toBe('2026-11-30');
  expect(dayShown('2026-12-07T00:00', 'end')).toBe('2026-12-06');
  expect(dayShown('', 'end')).toBe('');
  expect(timeOfDay('2026-12-07', 'begin')).toBe('2026-12-07T00:00');
  expect(timeOfDay('2026-12-13', 'end')).toBe('2026-12-14T00:00');
  expect(timeOfDay('', 'begin')).toBe('');
});
