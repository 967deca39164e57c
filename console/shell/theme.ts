const DARK = 'backboard-console-dark';

export const isDark = (): boolean => localStorage.getItem(DARK) === 'yes';

/** Applies the stored theme, before the first paint. */
export function restoreTheme(): void {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
}

export function setDark(dark: boolean): void {
  localStorage.setItem(DARK, dark ? 'yes' : 'no');
  restoreTheme();
}
