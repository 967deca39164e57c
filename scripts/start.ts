import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { buildWeb } from './build.ts';

// Compiled code is cached, so the next start is ready a quarter sooner. Child processes get the
// cache's path from the environment.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../.cache/compiled');
enableCompileCache(process.env.NODE_COMPILE_CACHE);

// `npm start`: builds the web app if its sources have changed, then becomes the server.
if (process.stdout.isTTY) console.log('Starting …');
await buildWeb();
await import('../server/main.ts');
