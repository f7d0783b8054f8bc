// Builds a page of the demo in web-demo/dist: static files that any host can serve from any path.

import { defineConfig } from 'vite';

import { wasmFromTheBuild } from '../scripts/lib/wasm-from-the-build.mjs';

export default defineConfig({
  root: import.meta.dirname,
  // Every URL is relative to the file that has it.
  base: './',
  plugins: [wasmFromTheBuild],
  resolve: { tsconfigPaths: true },
  html: {
    // The page links to the notices, which are a file.
    additionalAssetSources: {
      a: { srcAttributes: ['href'], filter: ({ value }) => value.endsWith('.txt') },
    },
  },
  build: {
    target: 'es2022',
    sourcemap: true,
    // The content security policy of the page allows no data URLs.
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: {
        // The package loads the storage on first use; the page always uses it.
        ineffectiveDynamicImport: false,
        // Slow plugins are no fault of the page.
        pluginTimings: false,
      },
    },
  },
});
