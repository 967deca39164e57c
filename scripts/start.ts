import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { buildCourt, buildWeb } from './build.ts';

process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../.cache/compiled');
enableCompileCache(process.env.NODE_COMPILE_CACHE);

// `npm start`: builds the pages if their sources have changed, then starts the server.
if (process.stdout.isTTY) console.log('Starting …');
await buildWeb();
await buildCourt();
await import('../server/main.ts');
