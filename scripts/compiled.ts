import { join } from 'node:path';

/**
 * Where Node caches the compiled code of the server. With it, a start takes a quarter less time. A
 * child process gets the path as NODE_COMPILE_CACHE.
 */
export const COMPILED = join(import.meta.dirname, '../.cache/compiled');
