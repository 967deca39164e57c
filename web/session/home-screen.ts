import { tryToKeep } from '../ui/storage.ts';
import type { VisitKey } from './session.ts';

/** When the player put off the home screen, as an ISO instant, or `never`. */
const INSTALL_KEY: VisitKey = 'install';

const PUT_OFF_MS = 90 * 24 * 3_600_000;
const NEVER = 'never';

/** The browser's offer to install the app. TypeScript's DOM types lack it. */
type InstallPrompt = Event & {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
};

type Store = Pick<Storage, 'getItem' | 'setItem'>;

let kept: InstallPrompt | null = null;
const listeners = new Set<() => void>();

function keep(prompt: InstallPrompt | null): void {
  kept = prompt;
  for (const listener of listeners) listener();
}

/**
 * Keeps back the browser's own offers, so that the app chooses the moment (HAND-98). Returns a
 * function that stops it.
 */
export function keepPrompts(): () => void {
  const offered = (event: Event) => {
    event.preventDefault();
    keep(event as InstallPrompt);
  };
  const installed = () => {
    tryToKeep(localStorage, INSTALL_KEY, NEVER);
    keep(null);
  };
  window.addEventListener('beforeinstallprompt', offered);
  window.addEventListener('appinstalled', installed);
  return () => {
    window.removeEventListener('beforeinstallprompt', offered);
    window.removeEventListener('appinstalled', installed);
  };
}

export const hasPrompt = () => kept !== null;
export function onPrompt(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the card may appear: 90 days after the first no, never after a yes or a second no. */
export function mayOffer(now: number, storage: Store = localStorage): boolean {
  const answer = storage.getItem(INSTALL_KEY);
  if (answer === null) return true;
  return answer !== NEVER && now - Date.parse(answer) > PUT_OFF_MS;
}

export function putOff(now: number, storage: Store = localStorage): void {
  const isSecond = storage.getItem(INSTALL_KEY) !== null;
  tryToKeep(storage, INSTALL_KEY, isSecond ? NEVER : new Date(now).toISOString());
}

/** Shows the browser's question. A refusal counts as “Not now”. */
export async function install(now: number): Promise<void> {
  const prompt = kept;
  if (prompt === null) return;
  // A prompt works once.
  keep(null);
  await prompt.prompt();
  const { outcome } = await prompt.userChoice;
  if (outcome === 'dismissed') putOff(now);
  else tryToKeep(localStorage, INSTALL_KEY, NEVER);
}
