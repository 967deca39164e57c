import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '../screen');
/** The oldest browser: televisions are replaced within ten years (decision 086). */
const TARGET = 'chrome68';

async function buildScreen(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    base: '/screen/',
    logLevel: 'warn',
    publicDir: false,
    css: { transformer: 'lightningcss', lightningcss: { targets: { chrome: 68 << 16 } } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: TARGET,
      cssTarget: TARGET,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
}

async function buildWorker(folder: string): Promise<void> {
  const hash = createHash('sha256').update(await readFile(join(folder, 'index.html')));
  const files: string[] = [];
  for await (const path of glob('assets/*', { cwd: folder })) files.push(`/screen/${path}`);
  files.sort();
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    publicDir: false,
    define: {
      BUILT_FILES: JSON.stringify(files),
      BUILT_HASH: JSON.stringify(hash.update(files.join()).digest('base64url').slice(0, 16)),
    },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: TARGET,
      rolldownOptions: {
        input: join(ROOT, 'worker.ts'),
        output: { format: 'iife', entryFileNames: 'worker.js' },
      },
    },
  });
}

if (import.meta.main) {
  const [, , folder = ''] = process.argv;
  await buildScreen(folder);
  await buildWorker(folder);
}
