import { join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '../screen');
/**
 * Televisions are replaced every ten years: what this browser understands is enough (decision 086).
 */
const TARGET = 'chrome68';

/** Builds the venue screen's page into a folder. */
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

if (import.meta.main) await buildScreen(process.argv[2] ?? '');
