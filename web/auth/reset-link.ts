import { tryToKeep } from '../ui/storage.ts';

export type ResetLink = { email: string; token: string };

const KEY = 'reset_link';
/** The link, if the storage is full. Then a reload loses it. */
let unstored: ResetLink | null = null;
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Keeps this tab's reset link across a reload. Keeps it in `storage`, because Sign Out could not
 * remove it from the state of a history entry.
 */
export function keepLink(link: ResetLink, storage: Store = sessionStorage): void {
  unstored = tryToKeep(storage, KEY, JSON.stringify(link)) ? null : link;
}

/** The link that was opened in this tab, or null. */
export function keptLink(storage: Store = sessionStorage): ResetLink | null {
  if (unstored !== null) return unstored;
  try {
    const { email, token } = JSON.parse(storage.getItem(KEY) ?? '{}');
    return typeof email === 'string' && typeof token === 'string' ? { email, token } : null;
  } catch {
    return null;
  }
}

export function dropLink(storage: Store = sessionStorage): void {
  unstored = null;
  storage.removeItem(KEY);
}
