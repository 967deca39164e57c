import { join } from 'node:path';

/**
 * Where Node keeps the compiled code of the server: a start takes a quarter less time with it. A
 * child process gets it as NODE_COMPILE_CACHE.
 */
export const COMPILED = join(import.meta.dirname, '../.cache/compiled');
