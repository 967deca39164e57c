import type { Work } from '#contract/rules/work.ts';
import WORKER from './nonce-worker.ts?worker&url';

/* Loaded only when the server asks for work (P79c). */

/** The worker's address, as Trusted Types require it. No other is allowed (P32). */
const policy = window.trustedTypes?.createPolicy('work', { createScriptURL: () => WORKER });

/** Finds the proof for `work`. Rejects if the browser cannot run the worker. */
export function prove(work: Work): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(policy?.createScriptURL(WORKER) ?? WORKER);
    worker.onmessage = ({ data }: MessageEvent<string>) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = () => {
      worker.terminate();
      reject(new Error('the work could not be done'));
    };
    worker.postMessage(work);
  });
}
