import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { follow, type News } from './events.ts';

/** One asked-for stream: the outside edge. */
type Line = {
  signal: AbortSignal;
  send(text: string): Promise<void>;
  end(): Promise<void>;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let lines: Line[];
let news: News[];
let isRefused: boolean;
let hidden: boolean;
let events: EventTarget;
let stop: () => void;

/** What is under way in promises comes to rest. */
const settled = () => vi.advanceTimersByTimeAsync(0);

async function open(signal: AbortSignal): Promise<Response> {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      stream = controller;
      signal.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
  lines.push({
    signal,
    send: async (text) => {
      stream?.enqueue(new TextEncoder().encode(text));
      await settled();
    },
    end: async () => {
      stream?.close();
      await settled();
    },
  });
  if (isRefused) throw new Error('refused');
  return new Response(body);
}

const last = (): Line => lines.at(-1) as Line;
const isOpen = ({ signal }: Line) => !signal.aborted;
async function happens(name: string): Promise<void> {
  events.dispatchEvent(new Event(name));
  await settled();
}

beforeEach(async () => {
  vi.useFakeTimers();
  lines = [];
  news = [];
  isRefused = false;
  hidden = false;
  events = new EventTarget();
  stop = follow(open, (one) => news.push(one), { events, isHidden: () => hidden });
  await settled();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('tells what the stream says, however it is cut, and nothing else', async () => {
  await last().send(':\n\nevent: game\ndata:\n\nevent: pro');
  await last().send('file\ndata:\n\nevent: something newer\ndata:\n\n');
  expect(news).toEqual(['game', 'profile']);
});

test('asks again soon when the server ends the stream, and reads everything then', async () => {
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2);
  await last().send(':\n\n');
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2 + 1);
  await last().send(':\n\n');
  await last().end();
  expect(lines).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(lines).toHaveLength(2);
  expect(news).toEqual(['gap']);
});

test('waits longer after each failure, half a minute at most, and reads at each', async () => {
  isRefused = true;
  await last().end();
  const waits: number[] = [];
  for (let count = 0; count < 8; count += 1) {
    const before = lines.length;
    const since = Date.now();
    while (lines.length === before) await vi.advanceTimersByTimeAsync(100);
    waits.push(Date.now() - since);
  }
  expect(waits[0]).toBeLessThanOrEqual(1_100);
  expect(waits[4]).toBeGreaterThanOrEqual(8_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(30_100);
  // The first two are only hiccups.
  await settled();
  expect(news).toHaveLength(lines.length - 2);
  isRefused = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(isOpen(last())).toBe(true);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(new Set(news)).toEqual(new Set(['gap']));
});

test('gives up a stream that is silent, and keeps one that beats', async () => {
  const first = last();
  for (let count = 0; count < 10; count += 1) {
    await vi.advanceTimersByTimeAsync(25_000);
    await first.send(':\n\n');
  }
  expect(lines).toEqual([first]);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(isOpen(first)).toBe(false);
  expect(lines.length).toBeGreaterThan(1);
});

test('closes for a page that is hidden for long, and opens as soon as it is seen', async () => {
  hidden = true;
  await happens('visibilitychange');
  await vi.advanceTimersByTimeAsync(30_000);
  hidden = false;
  await happens('visibilitychange');
  expect(lines.filter(isOpen)).toHaveLength(1);
  expect(lines).toHaveLength(1);

  await last().send(':\n\n');
  hidden = true;
  await happens('visibilitychange');
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(lines.filter(isOpen)).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  await happens('online');
  expect(lines).toHaveLength(1);
  hidden = false;
  await happens('visibilitychange');
  expect(lines).toHaveLength(2);
  expect(news).toEqual(['gap']);
});

test('after a sleep, in which no timer ran, it opens at once', async () => {
  vi.setSystemTime(Date.now() + HOUR_MS);
  await happens('visibilitychange');
  expect(lines.map(isOpen)).toEqual([false, true]);
  expect(news).toEqual(['gap']);
});

test('opens anew over another network, and after the browser put the page aside', async () => {
  await happens('online');
  expect(lines.map(isOpen)).toEqual([false, true]);
  await happens('pagehide');
  expect(lines.filter(isOpen)).toHaveLength(0);
  await happens('pageshow');
  expect(lines.map(isOpen)).toEqual([false, false, true]);
});

test('stops for good', async () => {
  stop();
  expect(lines.filter(isOpen)).toHaveLength(0);
  await happens('online');
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(lines).toHaveLength(1);
});
