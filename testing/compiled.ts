import { join } from 'node:path';

/** Node's cache of compiled code (NODE_COMPILE_CACHE): starting the server takes 25 % less time. */
export const COMPILED = join(import.meta.dirname, '../.cache/compiled');
