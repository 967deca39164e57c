import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Built separately (decision 088): the player's app and production do not contain the court.
export default defineConfig({
  base: '/dev/court/',
  plugins: [react({ jsxImportSource: '#text' })],
  css: { transformer: 'lightningcss' },
  build: {
    emptyOutDir: true,
    // P32 allows no inline style and no data: font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
