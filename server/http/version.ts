import { readFileSync } from 'node:fs';

/** The version of Backboard, such as `0.2.0`. Show it to the operator only (P40). */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
