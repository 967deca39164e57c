import { BUZZ_KEY, SLIP_KEY } from '../session/session.ts';
import { tryToKeep } from '../ui/storage.ts';

/** What this phone stores about slips: only instants and choices (P110). */

/** The newest `landed_at` that was put away; null before the first slip (HAND-01). */
export const readMark = () => localStorage.getItem(SLIP_KEY);
export const writeMark = (instant: string) => tryToKeep(localStorage, SLIP_KEY, instant);

/** Calls `listener` when another tab changes the mark. Returns a function that stops it. */
export function onMark(listener: () => void): () => void {
  const changed = ({ key }: StorageEvent) => {
    if (key === SLIP_KEY) listener();
  };
  window.addEventListener('storage', changed);
  return () => window.removeEventListener('storage', changed);
}

/** Whether the phone can vibrate at all; iPhones cannot. */
export const canBuzz = () => 'vibrate' in navigator;
/** null if the player has not been asked yet. */
export const readBuzz = () => localStorage.getItem(BUZZ_KEY);
export const writeBuzz = (on: boolean) => tryToKeep(localStorage, BUZZ_KEY, on ? 'on' : 'off');

/** Vibrates if the switch is on, the page is visible and has had a tap (HAND-22). */
export function buzz(pattern: number | number[]): void {
  if (!canBuzz() || readBuzz() !== 'on' || document.visibilityState !== 'visible') return;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate(pattern);
}
