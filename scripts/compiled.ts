import { join } from 'node:path';

/**
 * The folder of Node's cache of compiled code (NODE_COMPILE_CACHE), with which the server starts in
 * a quarter less time.
 */
export const COMPILED = join(import.meta.dirname, '../.cache/compiled');
