import { tryToKeep } from '../../web/ui/storage.ts';

const DARK = 'backboard-console-dark';

export const isDark = (): boolean => localStorage.getItem(DARK) === 'yes';

function show(dark: boolean): void {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

/** Applies the stored theme, before the first paint. */
export const restoreTheme = (): void => show(isDark());

/** Applies the theme. Returns whether the device keeps it. */
export function setDark(dark: boolean): boolean {
  show(dark);
  return tryToKeep(localStorage, DARK, dark ? 'yes' : 'no');
}
