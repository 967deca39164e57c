/**
 * Preloaded before `main.ts`. On SIGUSR2, this module causes the fault that FAULT names (REL-19,
 * P39).
 */
const BURN_MS = 100;
/** More lag than P39 allows. */
const STALL_MS = 800;
const HOARD_BYTES = 1.2 * 1024 ** 3;

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

let on = false;
const hoard: Buffer[] = [];

function keepBusy(ms: number): void {
  if (!on) return;
  block(ms);
  setImmediate(keepBusy, ms);
}

const FAULTS: Record<string, () => void> = {
  throw: () => {
    throw new Error('a fault of the test');
  },
  disconnect: () => {
    throw Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT' });
  },
  reject: () => void Promise.reject(new Error('a fault of the test')),
  burn: () => keepBusy(BURN_MS),
  stall: () => keepBusy(STALL_MS),
  hoard: () => {
    hoard.push(Buffer.alloc(HOARD_BYTES, 1));
  },
};

process.on('SIGUSR2', () => {
  on = !on;
  FAULTS[process.env.FAULT ?? '']?.();
});
