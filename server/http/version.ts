import { readFileSync } from 'node:fs';

/** The version, such as `0.2.0`. Only the operator may see it (P40). */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
