import { readFileSync } from 'node:fs';

/** `0.2.0`, for the operator only (P40). */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
