import type { ReactNode } from 'react';
import { useSyncExternalStore } from 'react';

let playing: ReactNode = null;
const listeners = new Set<() => void>();

/** Puts something over the whole app that outlives the page it was started from; null clears it. */
export function onStage(node: ReactNode): void {
  playing = node;
  for (const listener of listeners) listener();
}

const now = () => playing;

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where that is shown; mount it once, above the routes. */
export function Stage() {
  return useSyncExternalStore(subscribe, now, now);
}
