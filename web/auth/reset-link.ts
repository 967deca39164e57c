export type ResetLink = { email: string; token: string };

const KEY = 'reset_link';
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Keeps this tab's reset link across a reload. Keeps it in `storage`, because Sign Out could not
 * remove it from the state of a history entry.
 */
export function keepLink(link: ResetLink, storage: Store = sessionStorage): void {
  storage.setItem(KEY, JSON.stringify(link));
}

/** The link that was opened in this tab, or null. */
export function keptLink(storage: Store = sessionStorage): ResetLink | null {
  try {
    const { email, token } = JSON.parse(storage.getItem(KEY) ?? '{}');
    return typeof email === 'string' && typeof token === 'string' ? { email, token } : null;
  } catch {
    return null;
  }
}

export function dropLink(storage: Store = sessionStorage): void {
  storage.removeItem(KEY);
}
