/** Whether this site may store something; a setting of the browser can block it (PROD-167). */
export function canStore(): boolean {
  try {
    // Some browsers have no storage, others throw when it is read.
    localStorage.getItem('');
    sessionStorage.getItem('');
    return true;
  } catch {
    return false;
  }
}

export const NOT_KEPT =
  'This could not be kept on this device: its storage is full. Free some space, then try again.';

/** Stores a value that the page can do without. Returns whether it was stored. */
export function tryToKeep(storage: Pick<Storage, 'setItem'>, key: string, value: string): boolean {
  try {
    storage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
