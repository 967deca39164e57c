import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { noServiceWorker } from './scripts/service-worker.ts';

/** The server to which Vite forwards API requests; `npm run dev` sets it. */
const api = process.env.BACKBOARD_URL ?? 'http://localhost:3000';

/**
 * Each page carries the entry's style (scripts/pages.ts). A chunk that is loaded later must not
 * load it again, because the second copy would override the page's own style.
 */
const entryStyleOnce: Plugin = {
  name: 'entry-style-once',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      // The entry is loaded already.
      for (const entry of chunks.filter(({ isEntry }) => isEntry))
        for (const style of entry.viteMetadata?.importedCss ?? [])
          for (const chunk of chunks)
            chunk.code = chunk.code.replaceAll(`"${style}"`, `"${entry.fileName}"`);
    },
  },
};

/**
 * Each page's HTML has the wordmark once, and `Wordmark` (web/ui/Page.tsx) draws it from there, in
 * the colours of the theme. So it paints before any script, and no script contains it.
 */
const wordmarkOnce: Plugin = {
  name: 'wordmark-once',
  transformIndexHtml(html) {
    const drawing = readFileSync('brand/wordmark.svg', 'utf8')
      .trim()
      .replace(/^<svg .*?>/, '<svg display="none"><g id="wordmark">')
      .replace(/<\/svg>$/, '</g></svg>')
      .replaceAll('#12285C', 'currentColor')
      .replaceAll('#C9143A', 'var(--wordmark-ball)');
    return html.replace('<body>', () => `<body>${drawing}`);
  },
};

export default defineConfig({
  root: 'web',
  plugins: [react({ jsxImportSource: '#text' }), noServiceWorker, entryStyleOnce, wordmarkOnce],
  css: { transformer: 'lightningcss' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // P32 allows no inline style and no data: font.
    assetsInlineLimit: 0,
    // Every browser that runs this code knows <link rel="modulepreload">.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          // Twenty files would reach a phone one after another, so make four: `app` with the code of
          // every page, `player` with the rest of the profile's code and the list of files of each
          // page, `strips` with what answers add to the profile (4 kB; other pages draw badges with
          // it), `shared` with what at least five scripts import, which makes that list short. What the
          // later steps of signing in import too is in `steps`: with `shared` comes `player`.
          groups: [
            { name: 'app', tags: ['$initial'], priority: 1 },
            { name: 'player', test: /[\\/]player-pages\.tsx$/ },
            { name: 'strips', test: /[\\/]profile[\\/]strips\.ts$/ },
            {
              name: 'steps',
              test: /[\\/](ui[\\/](months\.ts|Notice\.|PasswordField\.)|rules[\\/]digits\.ts)/,
            },
            { name: 'shared', minShareCount: 5 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': api, '/dev': api, '/health': api, '/screen': api },
  },
});
