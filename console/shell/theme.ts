const DARK = 'backboard-console-dark';

/** Whether this device shows the dark theme. */
export const isDark = (): boolean => localStorage.getItem(DARK) === 'yes';

/** Applies this device's stored theme to the page. Call it before the first paint. */
export function restoreTheme(): void {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
}

/** Changes the theme of this device. */
export function setDark(dark: boolean): void {
  localStorage.setItem(DARK, dark ? 'yes' : 'no');
  restoreTheme();
}
