import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { buildCourt, buildWeb } from './build.ts';

// Cache compiled code: the next start takes a quarter less time. Child processes inherit the
// cache's path.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../.cache/compiled');
enableCompileCache(process.env.NODE_COMPILE_CACHE);

// `npm start`: builds the pages if their sources have changed, then becomes the server.
if (process.stdout.isTTY) console.log('Starting …');
await buildWeb();
await buildCourt();
await import('../server/main.ts');
