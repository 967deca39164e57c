import type { ScreenAnswer } from '#contract/venue-screen.ts';

/** What the television stores, so that it survives a power cut. */
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

/** Returns the stored state; null on a new television, or when storage is off or damaged. */
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
    // Without storage the screen works until the power is cut.
  }
}

let waiting: Kept | null = null;

/** Stores the state, at the latest five seconds from now. */
export function keep(kept: Kept): void {
  if (waiting === null)
    setTimeout(() => {
      if (waiting !== null) write(waiting);
      waiting = null;
    }, WRITE_EVERY_MS);
  waiting = kept;
}

/** Stores the state immediately. */
export function keepNow(kept: Kept): void {
  waiting = null;
  write(kept);
}

/** Deletes the stored state, after the screen was removed. */
export function forget(): void {
  waiting = null;
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}
