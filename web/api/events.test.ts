import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './client.ts';
import { follow, type News } from './events.ts';

type Stream = {
  signal: AbortSignal;
  send(text: string): Promise<void>;
  end(): Promise<void>;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let streams: Stream[];
let news: News[];
let isRefused: boolean;
/** What a refused stream throws. */
let refusal: Error;
let hidden: boolean;
let events: EventTarget;
let stop: () => void;

const settled = () => vi.advanceTimersByTimeAsync(0);

async function open(signal: AbortSignal): Promise<Response> {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
      signal.addEventListener('abort', () => given.error(signal.reason));
    },
  });
  streams.push({
    signal,
    send: async (text) => {
      controller?.enqueue(new TextEncoder().encode(text));
      await settled();
    },
    end: async () => {
      controller?.close();
      await settled();
    },
  });
  if (isRefused) throw refusal;
  return new Response(body);
}

const last = (): Stream => streams.at(-1) as Stream;
const isOpen = ({ signal }: Stream) => !signal.aborted;
async function happens(name: string): Promise<void> {
  events.dispatchEvent(new Event(name));
  await settled();
}

beforeEach(async () => {
  vi.useFakeTimers();
  streams = [];
  news = [];
  isRefused = false;
  refusal = new Error('refused');
  hidden = false;
  events = new EventTarget();
  stop = follow(open, (one) => news.push(one), { events, isHidden: () => hidden });
  await settled();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('emits the known events, wherever the chunks are cut', async () => {
  await last().send(':\n\nevent: game\ndata:\n\nevent: pro');
  await last().send('file\ndata:\n\nevent: something newer\ndata:\n\n');
  expect(news).toEqual(['game', 'profile']);
});

test('reopens soon after the server ends the stream, and then emits a gap', async () => {
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2);
  await last().send(':\n\n');
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2 + 1);
  await last().send(':\n\n');
  await last().end();
  expect(streams).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(streams).toHaveLength(2);
  expect(news).toEqual(['gap']);
});

test('backs off up to half a minute, and emits a gap at each failure from the third on', async () => {
  isRefused = true;
  await last().end();
  const waits: number[] = [];
  for (let count = 0; count < 8; count += 1) {
    const before = streams.length;
    const since = Date.now();
    while (streams.length === before) await vi.advanceTimersByTimeAsync(100);
    waits.push(Date.now() - since);
  }
  expect(waits[0]).toBeLessThanOrEqual(1_100);
  expect(waits[4]).toBeGreaterThanOrEqual(8_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(30_100);
  // The first two failures must emit nothing.
  await settled();
  expect(news).toHaveLength(streams.length - 2);
  isRefused = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(isOpen(last())).toBe(true);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(new Set(news)).toEqual(new Set(['gap']));
});

test('emits a gap each five minutes while the server is busy, and one when the stream is open again', async () => {
  isRefused = true;
  refusal = new ApiError('503', 503, undefined);
  await last().end();
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS - 1);
  expect(streams.length).toBeGreaterThan(5);
  expect(news).toEqual([]);
  await vi.advanceTimersByTimeAsync(30_001);
  expect(news).toEqual(['gap']);
  await vi.advanceTimersByTimeAsync(4 * MINUTE_MS);
  expect(news).toEqual(['gap']);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(news).toEqual(['gap', 'gap']);
  isRefused = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(news).toEqual(['gap', 'gap', 'gap']);
});

test('drops a stream without heartbeats and keeps a stream with heartbeats', async () => {
  const first = last();
  for (let count = 0; count < 10; count += 1) {
    await vi.advanceTimersByTimeAsync(25_000);
    await first.send(':\n\n');
  }
  expect(streams).toEqual([first]);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(isOpen(first)).toBe(false);
  expect(streams.length).toBeGreaterThan(1);
});

test('closes when the page is hidden for long, and reopens when it is visible', async () => {
  hidden = true;
  await happens('visibilitychange');
  await vi.advanceTimersByTimeAsync(30_000);
  hidden = false;
  await happens('visibilitychange');
  expect(streams.filter(isOpen)).toHaveLength(1);
  expect(streams).toHaveLength(1);

  await last().send(':\n\n');
  hidden = true;
  await happens('visibilitychange');
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(streams.filter(isOpen)).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  await happens('online');
  expect(streams).toHaveLength(1);
  hidden = false;
  await happens('visibilitychange');
  expect(streams).toHaveLength(2);
  expect(news).toEqual(['gap']);
});

test('reopens immediately after the phone has slept and no timer has run', async () => {
  vi.setSystemTime(Date.now() + HOUR_MS);
  await happens('visibilitychange');
  expect(streams.map(isOpen)).toEqual([false, true]);
  expect(news).toEqual(['gap']);
});

test('reopens on another network, and when the page leaves the back-forward cache', async () => {
  await happens('online');
  expect(streams.map(isOpen)).toEqual([false, true]);
  await happens('pagehide');
  expect(streams.filter(isOpen)).toHaveLength(0);
  await happens('pageshow');
  expect(streams.map(isOpen)).toEqual([false, false, true]);
});

test('does not reopen after it was stopped', async () => {
  stop();
  expect(streams.filter(isOpen)).toHaveLength(0);
  await happens('online');
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(streams).toHaveLength(1);
});
