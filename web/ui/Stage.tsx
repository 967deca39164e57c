import type { ReactNode } from 'react';
import { useSyncExternalStore } from 'react';

let playing: ReactNode = null;
const listeners = new Set<() => void>();

/** Shows `node` above the whole app, across navigation; null removes it. */
export function onStage(node: ReactNode): void {
  playing = node;
  for (const listener of listeners) listener();
}

const now = () => playing;

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Stage() {
  return useSyncExternalStore(subscribe, now, now);
}
