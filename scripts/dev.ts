import { spawn } from 'node:child_process';
import { createServer } from 'vite';
import { buildCourt } from './build.ts';

// `npm run dev`: Vite serves the pages with hot reload, and forwards /api, /dev and /health to the
// server, which restarts when its files change.
const port = Number(process.env.PORT ?? 3000);
const apiPort = port + 1;
const publicUrl = `http://localhost:${port}`;

await buildCourt();
const api = spawn('node', ['--watch-preserve-output', '--watch', 'server/main.ts'], {
  stdio: 'inherit',
  // In its own process group, the server gets one Ctrl-C, from this process: a second would skip
  // the orderly shutdown (P41).
  detached: true,
  env: { ...process.env, PORT: String(apiPort), PUBLIC_URL: publicUrl },
});
process.env.BACKBOARD_URL = `http://127.0.0.1:${apiPort}`;
// The console's entry needs a second Vite, behind the first.
const consolePort = port + 4;
const consoleVite = await createServer({
  configFile: 'vite.console.config.ts',
  server: { port: consolePort, strictPort: true, host: 'localhost' },
});
await consoleVite.listen();
const vite = await createServer({
  server: {
    port,
    strictPort: true,
    host: 'localhost',
    proxy: { '/console': `http://localhost:${consolePort}` },
  },
});
await vite.listen();
console.log(`\n  With hot reload: ${publicUrl}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    api.kill(signal);
    api.on('exit', async () => {
      await Promise.all([vite.close(), consoleVite.close()]);
      process.exit(0);
    });
  });
