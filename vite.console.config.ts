import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The server to which Vite forwards API requests; `npm run dev` sets it. */
const api = process.env.BACKBOARD_URL ?? 'http://localhost:3000';

/** Built separately, so that the player's app contains none of the console's code (STAFF-08). */
export default defineConfig({
  root: 'console',
  base: '/console/',
  publicDir: false,
  plugins: [react({ jsxImportSource: '#text' })],
  css: { transformer: 'lightningcss' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          // One file with the code of every page.
          groups: [{ name: 'console', tags: ['$initial'] }],
        },
      },
    },
  },
  server: {
    proxy: { '/api': api },
  },
});
