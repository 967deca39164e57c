import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { noServiceWorker } from './scripts/service-worker.ts';

/** Where `vite` alone finds the API; `npm start` and `npm run dev` serve both from one address. */
const api = process.env.BACKBOARD_URL ?? 'http://localhost:3000';

export default defineConfig({
  root: 'web',
  plugins: [react(), noServiceWorker],
  css: { transformer: 'lightningcss' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // Every asset is a file of its own: P32 allows no inline style and no data: font.
    assetsInlineLimit: 0,
    // Every browser that runs this code knows <link rel="modulepreload">.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // How long a plugin took is no news for whoever starts the app.
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          // Few files in place of twenty, which a phone asks for one after the other: what every page
          // needs goes with the entry, and what the profile needs besides makes one more.
          groups: [
            { name: 'app', tags: ['$initial'], priority: 1 },
            { name: 'player', test: /[\\/]profile[\\/]Profile\.tsx$/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': api, '/dev': api, '/health': api },
  },
});
