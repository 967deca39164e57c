import { readFileSync } from 'node:fs';

/** The software's version, such as `0.2.0`, for the operator only (P40). */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
