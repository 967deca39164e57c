import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { buildWeb } from './build.ts';

// Cache compiled code: the next start then takes a quarter less time. Child processes get the path
// of the cache from the environment.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../.cache/compiled');
enableCompileCache(process.env.NODE_COMPILE_CACHE);

// `npm start`: builds the web app if its sources have changed, then becomes the server.
if (process.stdout.isTTY) console.log('Starting …');
await buildWeb();
await import('../server/main.ts');
