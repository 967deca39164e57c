import { useLayoutEffect, useSyncExternalStore } from 'react';
import { THEME_KEY } from '../session/session.ts';
import { tryToKeep } from '../ui/storage.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The colour of the browser's bar: `--page` in tokens.css. */
const BARS = { light: '#ECEFF4', dark: '#0B1226' };
const CHANGED = 'theme-changed';

const phonesTheme = () => window.matchMedia('(prefers-color-scheme: dark)');

/** The choice, if the storage is full: it then lasts until the next page load (PROD-167). */
let unstored: Theme | null = null;

/** The player's choice; until then light. */
export function readTheme(): Theme {
  if (unstored !== null) return unstored;
  const stored = localStorage.getItem(THEME_KEY);
  return THEMES.find((theme) => theme === stored) ?? 'light';
}

function chosen(): 'light' | 'dark' {
  const theme = readTheme();
  if (theme === 'auto') return phonesTheme().matches ? 'dark' : 'light';
  return theme;
}

function paint(theme: 'light' | 'dark'): void {
  if (theme === 'dark') document.documentElement.dataset.theme = 'dark';
  else delete document.documentElement.dataset.theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BARS[theme]);
}

/** The service worker answers with a page in this theme, so that nothing flashes (HAND-97). */
function tellWorker(theme: 'light' | 'dark'): void {
  navigator.serviceWorker?.controller?.postMessage(theme);
}

/** Calls `listener` when this or another tab chooses a theme, until the returned function is called. */
function onChosen(listener: () => void): () => void {
  const events = ['storage', CHANGED];
  for (const event of events) window.addEventListener(event, listener);
  return () => {
    for (const event of events) window.removeEventListener(event, listener);
  };
}

/** Paints the pages of a player in the chosen theme, while mounted; other pages are light. */
export function usePaintedTheme(): void {
  useLayoutEffect(() => {
    const apply = () => {
      paint(chosen());
      tellWorker(chosen());
    };
    apply();
    const phone = phonesTheme();
    phone.addEventListener('change', apply);
    const stop = onChosen(apply);
    return () => {
      phone.removeEventListener('change', apply);
      stop();
      paint('light');
      // Light after Sign Out, which removes the choice.
      tellWorker(chosen());
    };
  }, []);
}

/** The choice, a function to change it, and whether this device keeps it. */
export function useTheme(): [Theme, (theme: Theme) => void, boolean] {
  return [
    useSyncExternalStore(onChosen, readTheme),
    (next) => {
      unstored = tryToKeep(localStorage, THEME_KEY, next) ? null : next;
      window.dispatchEvent(new Event(CHANGED));
    },
    unstored === null,
  ];
}
