import { Readable } from 'node:stream';
import { BEAT, BEAT_MS, CONSOLE_TOPICS, type ConsoleTopic } from '#contract/rules/live.ts';
import type { Listener } from '../db/listener.ts';
import { readTopics } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { unavailable } from '../errors.ts';
import { write } from '../http/event-stream.ts';
import { STREAMS_OF_A_SESSION } from './live.ts';
import { endWithSessions, type OpenAmong } from './sessions.ts';

/** Far more than the staff need. */
const STREAMS_MAX = 500;
/**
 * Events of a topic within this time are one batch, because games come in bursts. The time is much
 * shorter than the 2 s of STAFF-07.
 */
const BATCH_MS = 250;
/** How often to end streams whose session has ended (P62). */
const CHECK_EVERY_MS = 5_000;
/** A new stream repeats topics up to this old, because the page may have missed them. */
const RECENT_MS = 10_000;

type Stream = { session_id: string; lines: Readable };

export type ConsoleLive = {
  /** @throws Refusal 503 for too many streams. */
  open(sessionId: string): Promise<Readable>;
  close(): Promise<void>;
};

/** The console's event streams (STAFF-07). An event names a topic to fetch again. */
export function openConsoleLive(
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
  listener: Listener,
  openAmong: OpenAmong,
): ConsoleLive {
  const streams = new Set<Stream>();
  const recent = new Map<ConsoleTopic, number>();
  const waiting = new Set<ConsoleTopic>();
  let batch: NodeJS.Timeout | undefined;
  let closed = false;

  function addToBatch(topics: readonly ConsoleTopic[]): void {
    for (const topic of topics) {
      waiting.add(topic);
      recent.set(topic, performance.now());
    }
    if (waiting.size === 0 || closed) return;
    batch ??= setTimeout(() => {
      batch = undefined;
      for (const stream of streams) for (const topic of waiting) emit(stream, topic);
      waiting.clear();
    }, BATCH_MS);
  }
  listener.subscribe({
    onNotification: (payload) => addToBatch(readTopics(payload)),
    onGap: () => addToBatch(CONSOLE_TOPICS),
  });

  const emit = ({ lines }: Stream, event: ConsoleTopic | typeof BEAT) =>
    write(lines, `event: ${event}\ndata: ${clock.now().toISOString()}\n\n`);

  function end(stream: Stream): void {
    if (streams.delete(stream)) stream.lines.push(null);
  }

  async function check(): Promise<void> {
    listener.probe();
    await endWithSessions(streams, openAmong, end, (err) =>
      log.warn({ err }, 'sessions of staff cannot be checked: ending their streams'),
    );
  }

  const beats = setInterval(() => {
    for (const stream of streams) emit(stream, BEAT);
  }, BEAT_MS).unref();
  const checks = setInterval(check, CHECK_EVERY_MS).unref();

  return {
    open: async (session_id) => {
      await listener.listening();
      if (closed || streams.size >= STREAMS_MAX) throw unavailable();
      const own = [...streams].filter((stream) => stream.session_id === session_id);
      if (own[0] && own.length >= STREAMS_OF_A_SESSION) end(own[0]);
      const lines = new Readable({ read: () => undefined });
      const stream = { session_id, lines };
      streams.add(stream);
      lines.once('close', () => streams.delete(stream));
      emit(stream, BEAT);
      const since = performance.now() - RECENT_MS;
      for (const [topic, at] of recent) if (at > since) emit(stream, topic);
      return lines;
    },
    close: async () => {
      closed = true;
      clearInterval(beats);
      clearInterval(checks);
      clearTimeout(batch);
      for (const stream of streams) end(stream);
    },
  };
}
