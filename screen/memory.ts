import type { ScreenAnswer } from '#contract/venue-screen.ts';

/** What the television keeps through a power cut. */
export type Kept = {
  token: string;
  /** The last payload, and when the server was heard last, by the server's clock. */
  payload: ScreenAnswer | null;
  heardAt: number;
  /** The server's clock minus that of the television, in ms. */
  skew: number;
};

const KEY = 'backboard_screen';
/** The state is written at most this often, because a television's storage wears out. */
const WRITE_EVERY_MS = 5_000;

/** What was kept; null on a new television, or when storage is off or damaged. */
export function recall(): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) || 'null') as Kept | null;
    return kept !== null && typeof kept.token === 'string' ? kept : null;
  } catch {
    return null;
  }
}

function write(kept: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage the screen works until it loses its power.
  }
}

let waiting: Kept | null = null;

/** Keeps the state. The last one is written within five seconds. */
export function keep(kept: Kept): void {
  if (waiting === null)
    setTimeout(() => {
      if (waiting !== null) write(waiting);
      waiting = null;
    }, WRITE_EVERY_MS);
  waiting = kept;
}

/** Keeps the state at once. */
export function keepNow(kept: Kept): void {
  waiting = null;
  write(kept);
}

/** Forgets everything: the screen was removed. */
export function forget(): void {
  waiting = null;
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}
