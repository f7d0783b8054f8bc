// The demo page in web-demo/dist: static files that any host can serve from any path.

import { defineConfig } from 'vite';

import { wasmFromTheBuild } from '../scripts/lib/wasm-from-the-build.mjs';

export default defineConfig({
  root: import.meta.dirname,
  // Every URL is relative to the file that has it.
  base: './',
  plugins: [wasmFromTheBuild],
  resolve: { tsconfigPaths: true },
  html: {
    // The notices are a file that the page links to.
    additionalAssetSources: {
      a: { srcAttributes: ['href'], filter: ({ value }) => value.endsWith('.txt') },
    },
  },
  build: {
    target: 'es2022',
    sourcemap: true,
    // The policy of the page allows no data in the place of files.
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: {
        // The package loads the storage when it is needed first; the page always needs it.
        ineffectiveDynamicImport: false,
        // How long plugins took is no fault.
        pluginTimings: false,
      },
    },
  },
});
