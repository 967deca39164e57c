import {
  BEAT,
  BEAT_SILENCE_MS,
  CONSOLE_TOPICS,
  type ConsoleTopic,
  waitAfter,
} from '#contract/rules/live.ts';
import { hearServerTime, serverDate, serverNow } from '../../web/ui/server-clock.ts';

const LONGEST_WAIT_MS = 15_000;

/** `heardAt`: when the last heartbeat or topic came. */
export type Connection = { live: boolean; heardAt: Date };

/** Keeps an event stream open. Returns a function that closes it. */
export function follow({
  onTopic,
  onConnection,
  onGap,
  onRefused,
}: {
  onTopic: (topic: ConsoleTopic) => void;
  /** Called at each heartbeat and topic, and when the connection is lost or restored. */
  onConnection: (connection: Connection) => void;
  /** Called when a stream opens again, because topics may have been missed. */
  onGap: () => void;
  /** Called when the server answers without a stream, because the session may have ended. */
  onRefused: () => void;
}): () => void {
  let source: EventSource | null = null;
  let failures = 0;
  let opened = false;
  let heardAt = serverDate();
  const timers: Partial<Record<'silence' | 'next', ReturnType<typeof setTimeout>>> = {};

  function waitForBeat(): void {
    clearTimeout(timers.silence);
    timers.silence = setTimeout(lost, BEAT_SILENCE_MS);
  }

  function heard(): void {
    heardAt = serverDate();
    failures = 0;
    waitForBeat();
    onConnection({ live: true, heardAt });
  }

  function lost(): void {
    clearTimeout(timers.silence);
    clearTimeout(timers.next);
    source?.close();
    source = null;
    onConnection({ live: false, heardAt });
    failures += 1;
    timers.next = setTimeout(connect, waitAfter(failures, LONGEST_WAIT_MS));
  }

  function connect(): void {
    clearTimeout(timers.next);
    source?.close();
    const mine = new EventSource('/api/console/events/');
    source = mine;
    // Start the timer before the connection opens, because one that hangs never opens.
    waitForBeat();
    mine.addEventListener('open', () => {
      if (opened) onGap();
      opened = true;
      heard();
    });
    mine.addEventListener('error', () => {
      if (source !== mine) return;
      // After a broken connection, the state is CONNECTING; CLOSED means a refusal.
      if (mine.readyState === EventSource.CLOSED) onRefused();
      lost();
    });
    mine.addEventListener(BEAT, ({ data }: MessageEvent<string>) => {
      hearServerTime(data);
      heard();
    });
    for (const topic of CONSOLE_TOPICS)
      mine.addEventListener(topic, () => {
        heard();
        onTopic(topic);
      });
  }

  const retry = () => {
    failures = 0;
    connect();
  };
  const onVisible = () => {
    if (document.visibilityState === 'visible' && serverNow() - heardAt.getTime() > BEAT_SILENCE_MS)
      retry();
  };
  window.addEventListener('online', retry);
  window.addEventListener('offline', lost);
  document.addEventListener('visibilitychange', onVisible);
  connect();
  return () => {
    window.removeEventListener('online', retry);
    window.removeEventListener('offline', lost);
    document.removeEventListener('visibilitychange', onVisible);
    clearTimeout(timers.silence);
    clearTimeout(timers.next);
    source?.close();
  };
}
