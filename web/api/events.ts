import { LIVE_EVENTS, type LiveEvent, SILENCE_MS, waitAfter } from '#contract/rules/live.ts';
import { isBusy } from './client.ts';

/** A reason to refetch. `gap` means that events may be lost, so everything must be refetched. */
export type News = LiveEvent | 'gap';

/** How long a hidden page keeps its stream. */
const HIDDEN_MS = 60_000;
const LONGEST_WAIT_MS = 30_000;
/** A stream that lasted this long resets the backoff. */
const STABLE_MS = 60_000;
/**
 * From this many failures in a row on, each failure emits a gap, so that the page refetches, unless
 * the server was busy.
 */
const GAP_AFTER = 3;
/** While the server is busy, a failure emits a gap only this long after the last data or gap. */
const BUSY_GAP_MS = 5 * 60_000;

/** What `follow` needs of the page; tests pass their own. */
export interface PageEdge {
  /** Emits visibilitychange, online, pagehide and pageshow, as `window` does. */
  events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  isHidden(): boolean;
}

const browserPage = (): PageEdge => ({
  events: window,
  isHidden: () => document.visibilityState === 'hidden',
});

/**
 * Reads a stream to its end. Calls `emit` for each known event, and `onData` for each chunk,
 * heartbeats included.
 */
async function readEvents(
  answer: Response,
  onData: () => void,
  emit: (event: LiveEvent) => void,
): Promise<void> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value = '' } = (await reader?.read()) ?? { done: true };
    if (done) return;
    onData();
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = LIVE_EVENTS.find((known) => line === `event: ${known}`);
      if (event !== undefined) emit(event);
    }
  }
}

/**
 * Keeps an event stream open while the page is visible, and calls `emit` for each event. Reopens an
 * ended stream with backoff, and immediately when the page is visible again or the network is back.
 * Returns a function that closes the stream for good.
 */
export function follow(
  open: (signal: AbortSignal) => Promise<Response>,
  emit: (news: News) => void,
  page: PageEdge = browserPage(),
): () => void {
  let current: AbortController | null = null;
  /** When data last came, by the wall clock, because timers stop while the phone sleeps. */
  let dataAt = 0;
  /** When data or a gap last came. */
  let freshAt = Date.now();
  let failures = 0;
  let missed = false;
  const timers: Partial<Record<'next' | 'silence' | 'hidden', ReturnType<typeof setTimeout>>> = {};

  function close(): void {
    current?.abort();
    current = null;
    missed = true;
    clearTimeout(timers.next);
    clearTimeout(timers.silence);
  }

  function gap(): void {
    freshAt = Date.now();
    emit('gap');
  }

  function onData(): void {
    dataAt = freshAt = Date.now();
    clearTimeout(timers.silence);
    timers.silence = setTimeout(() => current?.abort(), SILENCE_MS);
  }

  async function connect(): Promise<void> {
    const mine = new AbortController();
    current = mine;
    dataAt = Date.now();
    let openedAt = Number.POSITIVE_INFINITY;
    let busy = false;
    try {
      const answer = await open(mine.signal);
      openedAt = dataAt = Date.now();
      if (missed) gap();
      missed = false;
      onData();
      await readEvents(answer, onData, emit);
    } catch (error) {
      busy = isBusy(error);
      // The code below retries. If the session has ended, the app leaves this page.
    }
    if (current !== mine) return;
    close();
    failures = Date.now() - openedAt > STABLE_MS ? 1 : failures + 1;
    if (busy ? Date.now() - freshAt >= BUSY_GAP_MS : failures >= GAP_AFTER) gap();
    timers.next = setTimeout(connect, waitAfter(failures, LONGEST_WAIT_MS));
  }

  function connectNow(): void {
    close();
    failures = 0;
    void connect();
  }

  function onVisibility(): void {
    clearTimeout(timers.hidden);
    if (page.isHidden()) timers.hidden = setTimeout(close, HIDDEN_MS);
    else if (current === null || Date.now() - dataAt > SILENCE_MS) connectNow();
  }

  const listeners: Record<string, () => void> = {
    visibilitychange: onVisibility,
    pageshow: onVisibility,
    pagehide: close,
    // Reconnect: an open stream's connection belongs to the old network.
    online: () => page.isHidden() || connectNow(),
  };
  for (const [name, listener] of Object.entries(listeners))
    page.events.addEventListener(name, listener);
  if (!page.isHidden()) void connect();
  return () => {
    for (const [name, listener] of Object.entries(listeners))
      page.events.removeEventListener(name, listener);
    clearTimeout(timers.hidden);
    close();
  };
}
