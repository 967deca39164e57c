import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, inert, progressBar, table } from './terminal.ts';

let written = '';
beforeEach(() => {
  written = '';
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written += text;
      return true;
    });
});
afterEach(() => vi.useRealTimers());

const HOSTILE = 'a\u001b[2J\u009b\u0007\r\n\t\u202e\u2028\u200b\u00ad\ufeff\u007f\ud800z';

test('escapes everything that could act on the terminal, and keeps letters', () => {
  expect(inert('Zoë 🏀 Ünïçødé')).toBe('Zoë 🏀 Ünïçødé');
  expect(inert(HOSTILE)).toMatch(/^a\\u\{1b\}\[2J[\x20-\x7e]*z$/);
});

test('escapes JSON too, without changing its value', () => {
  answer(true, { name: HOSTILE }, () => '');
  expect(written.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(written)).toEqual({ name: HOSTILE });
});

test('aligns tables, numbers to the right', () => {
  const text = table(
    ['NAME', 'GAMES'],
    [
      ['Zoë', 7],
      ['\u001b[1m', 12],
      ['Bo', 120],
    ],
    'none',
  );
  expect(text.split('\n').map((line) => line.length)).toEqual([16, 16, 16, 16]);
  expect(text).toMatch(/Zoë {12}7\n/);
  expect(table(['NAME'], [[null]], 'none')).toMatch(/\n–$/);
  expect(table(['NAME'], [], 'none')).toBe('none');
});

test('shows progress after a second, as a bar on a terminal and as lines elsewhere', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const half = { step: 'loading\u001b[2J', done: 1, total: 2 };
  for (const isTTY of [true, false]) {
    Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true });
    written = '';
    const bar = progressBar(false);
    bar.update(half);
    expect(written).toBe('');
    vi.advanceTimersByTime(1_500);
    bar.update(half);
    bar.update(half);
    expect(written.match(/ 50 % {2}loading\\u\{1b\}\[2J/g)).toHaveLength(1);
    expect(written.includes('█')).toBe(isTTY);
    bar.end();
    expect(written.endsWith('\r\u001b[K')).toBe(isTTY);
  }
  written = '';
  const quiet = progressBar(true);
  vi.advanceTimersByTime(60_000);
  quiet.update(half);
  quiet.end();
  expect(written).toBe('');
});
