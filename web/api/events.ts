import { HEARTBEAT_MS, LIVE_EVENTS, type LiveEvent } from '#contract/live.ts';

/** What has to be read anew: what an event says, or everything, because something may be missed. */
export type News = LiveEvent | 'gap';

/** Two heartbeats that did not come: the stream died without a word. */
const SILENCE_MS = 2.4 * HEARTBEAT_MS;
/** How long a page that nobody sees keeps its stream. */
const HIDDEN_MS = 60_000;
/** Waiting times between two attempts, each with chance in it: a server that is back is not overrun. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** A stream that has lasted so long was a good one; the next attempt is a first one again. */
const GOOD_MS = 60_000;
/** After so many attempts without a good stream the figures are read at each further one. */
const KEEPS_FAILING = 3;

/** What the page tells of itself; a test has its own. */
export interface PageEdge {
  /** Hears visibilitychange, online, pagehide and pageshow, as `window` does. */
  events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  isHidden(): boolean;
}

const browserPage = (): PageEdge => ({
  events: window,
  isHidden: () => document.visibilityState === 'hidden',
});

/** How long to wait after so many failures in a row, in milliseconds. */
function waitAfter(failures: number): number {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
  return most * (0.5 + Math.random() / 2);
}

/** Reads a stream of events to its end; `heard` hears of every sign of life. */
async function readEvents(
  answer: Response,
  heard: () => void,
  tell: (event: LiveEvent) => void,
): Promise<void> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value = '' } = (await reader?.read()) ?? { done: true };
    if (done) return;
    heard();
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = LIVE_EVENTS.find((known) => line === `event: ${known}`);
      if (event !== undefined) tell(event);
    }
  }
}

/**
 * Keeps one event stream open for as long as the page is looked at, and tells what it says. `open`
 * asks for the stream; it is asked again, with growing waits, whenever a stream ends, and at once
 * when the page is seen again or the network is back. Where no stream can be kept, the news is a gap
 * at each attempt, so that the figures are never older than `LONGEST_WAIT_MS`.
 * Returns how to stop.
 */
export function follow(
  open: (signal: AbortSignal) => Promise<Response>,
  tell: (news: News) => void,
  page: PageEdge = browserPage(),
): () => void {
  /** The stream, or the attempt at one. */
  let line: AbortController | null = null;
  /** By the clock on the wall, which goes on while the phone sleeps. */
  let heardAt = 0;
  let failures = 0;
  let missed = false;
  const timers: Partial<Record<'next' | 'silence' | 'hidden', ReturnType<typeof setTimeout>>> = {};

  function hangUp(): void {
    line?.abort();
    line = null;
    missed = true;
    clearTimeout(timers.next);
    clearTimeout(timers.silence);
  }

  function heard(): void {
    heardAt = Date.now();
    clearTimeout(timers.silence);
    timers.silence = setTimeout(() => line?.abort(), SILENCE_MS);
  }

  async function call(): Promise<void> {
    const mine = new AbortController();
    line = mine;
    heardAt = Date.now();
    let openedAt = Number.POSITIVE_INFINITY;
    try {
      const answer = await open(mine.signal);
      openedAt = heardAt = Date.now();
      if (missed) tell('gap');
      missed = false;
      heard();
      await readEvents(answer, heard, tell);
    } catch {
      // Refused, cut off or silent: each is tried again below; a session that is over ends the page.
    }
    if (line !== mine) return;
    hangUp();
    failures = Date.now() - openedAt > GOOD_MS ? 1 : failures + 1;
    if (failures >= KEEPS_FAILING) tell('gap');
    timers.next = setTimeout(call, waitAfter(failures));
  }

  function callNow(): void {
    hangUp();
    failures = 0;
    void call();
  }

  function onVisibility(): void {
    clearTimeout(timers.hidden);
    if (page.isHidden()) timers.hidden = setTimeout(hangUp, HIDDEN_MS);
    else if (line === null || Date.now() - heardAt > SILENCE_MS) callNow();
  }

  const listeners: Record<string, () => void> = {
    visibilitychange: onVisibility,
    pageshow: onVisibility,
    pagehide: hangUp,
    // Whatever was open went by the old network.
    online: () => page.isHidden() || callNow(),
  };
  for (const [name, listener] of Object.entries(listeners))
    page.events.addEventListener(name, listener);
  if (!page.isHidden()) void call();
  return () => {
    for (const [name, listener] of Object.entries(listeners))
      page.events.removeEventListener(name, listener);
    clearTimeout(timers.hidden);
    hangUp();
  };
}
