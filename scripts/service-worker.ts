import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

/** The worker's address; from the root, so that every page is within its scope. */
const WORKER = 'sw.js';
/** What a screen can ask for. The app's icons are the system's to keep. */
const KEPT = '**/*.{html,js,css,svg,woff2}';

/** In development nothing may come from a build: a worker left by one removes itself. */
const LEAVE = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', async () => {
  await self.registration.unregister();
  for (const tab of await self.clients.matchAll({ type: 'window' })) tab.navigate(tab.url);
});
`;

/** The files in `folder` as Workbox wants them: a hashed name needs no revision. */
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

/** Adds the service worker to a finished build: one script that knows every file of it. */
export function serviceWorker(source: string): Plugin {
  let root = '';
  let folder = '';
  let ofBrowser = true;
  return {
    name: 'backboard:service-worker',
    configResolved(config) {
      root = config.root;
      ofBrowser = !config.build.ssr;
      folder = join(config.root, config.build.outDir);
      if (config.build.outDir.startsWith('/')) folder = config.build.outDir;
    },
    configureServer(server) {
      server.middlewares.use(`/${WORKER}`, (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript').end(LEAVE);
      });
    },
    async closeBundle() {
      if (this.environment.mode !== 'build' || !ofBrowser) return;
      await build({
        configFile: false,
        root,
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
            input: join(root, source),
            output: { format: 'iife', entryFileNames: WORKER },
          },
        },
      });
    },
  };
}
