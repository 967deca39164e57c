import type { ScreenAnswer } from '#contract/wire/screens.ts';

export type Kept = {
  token: string;
  /** The last payload. `heardAt`: the last contact, by the server's clock. */
  payload: ScreenAnswer | null;
  heardAt: number;
  /** Server clock minus television clock, in ms. */
  skew: number;
};

const KEY = 'backboard_screen';
/** Write rarely, because a television's storage wears out. */
const WRITE_EVERY_MS = 5_000;

/** The stored state; null if there is none, or if storage is broken. */
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
  } catch {}
}

/** Whether the television keeps anything through a power cut; its browser may block that. */
export function canKeep(): boolean {
  try {
    localStorage.setItem(`${KEY}_test`, '1');
    localStorage.removeItem(`${KEY}_test`);
    return true;
  } catch {
    return false;
  }
}

let waiting: Kept | null = null;

/** Stores the state within five seconds. */
export function keep(kept: Kept): void {
  if (waiting === null)
    setTimeout(() => {
      if (waiting !== null) write(waiting);
      waiting = null;
    }, WRITE_EVERY_MS);
  waiting = kept;
}

/** Stores the state at once. */
export function keepNow(kept: Kept): void {
  waiting = null;
  write(kept);
}

/** Deletes the stored state. */
export function forget(): void {
  waiting = null;
  try {
    localStorage.removeItem(KEY);
  } catch {}
}
