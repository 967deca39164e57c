import { buildWeb } from './build.ts';

// `npm start`: the web app is built when its sources have changed, then this process is the server.
if (process.stdout.isTTY) console.log('Starting …');
await buildWeb();
await import('../server/main.ts');
