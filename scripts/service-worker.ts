import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '../web');
/** At the root: every page is in its scope. */
const WORKER = 'sw.js';
/** Files to cache, without the app's icons: the operating system stores them. */
const KEPT = ['{index,profile}.html', '**/*.{js,css,svg,woff2}'];

/** A worker that removes itself: in development, a worker would serve old builds. */
const LEAVE = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', async () => {
  await self.registration.unregister();
  for (const tab of await self.clients.matchAll({ type: 'window' })) tab.navigate(tab.url);
});
`;

async function builtFiles(folder: string): Promise<{ url: string; revision: string | null }[]> {
  const paths: string[] = [];
  for await (const path of glob(KEPT, { cwd: folder })) paths.push(path);
  return Promise.all(
    paths.sort().map(async (path) => {
      const hash = createHash('sha256').update(await readFile(join(folder, path)));
      const hashed = path.startsWith('assets/');
      return { url: `/${path}`, revision: hashed ? null : hash.digest('base64url').slice(0, 16) };
    }),
  );
}

/** A Vite plugin that serves the self-removing worker in development. */
export const noServiceWorker: Plugin = {
  name: 'backboard:no-service-worker',
  configureServer(server) {
    server.middlewares.use(`/${WORKER}`, (_request, response) => {
      response.setHeader('Content-Type', 'text/javascript').end(LEAVE);
    });
  },
};

async function buildServiceWorker(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    publicDir: false,
    define: {
      BUILT_FILES: JSON.stringify(await builtFiles(folder)),
      'process.env.NODE_ENV': JSON.stringify('production'),
    },
    build: {
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: join(ROOT, 'offline/worker.ts'),
        output: { format: 'iife', entryFileNames: WORKER },
      },
    },
  });
}

if (import.meta.main) await buildServiceWorker(process.argv[2] ?? '');
