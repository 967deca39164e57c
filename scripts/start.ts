import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { buildWeb } from './build.ts';

// What one start has compiled, the next one need not: it is ready a quarter sooner. Processes that
// this one starts know it from the environment.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../.cache/compiled');
enableCompileCache(process.env.NODE_COMPILE_CACHE);

// `npm start`: the web app is built when its sources have changed, then this process is the server.
if (process.stdout.isTTY) console.log('Starting …');
await buildWeb();
await import('../server/main.ts');
