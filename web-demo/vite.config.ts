// Builds a page of the demo in web-demo/dist: static files that any host can serve from any path.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { defineConfig, type Plugin } from 'vite';

import { wasmFromTheBuild } from '../scripts/lib/wasm-from-the-build.mjs';

// Puts a file of markup where a page names it, so that the first paint needs no script.
const includes: Plugin = {
  name: 'includes',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html.replace(/<!-- (\S+\.html) -->/g, (_, path: string) =>
        readFileSync(join(import.meta.dirname, path), 'utf8'),
      ),
  },
};

// What several parts share that nobody needs before a change or a file.
const LATER =
  /web-demo.src.(?:changes|(?:grid.range-size|ui.(?:download|tabbed-text|while-shown)))|js.src.formats.(?!filter-hint)/;

export default defineConfig({
  root: import.meta.dirname,
  // Every URL is relative to the file that has it.
  base: './',
  plugins: [wasmFromTheBuild, includes],
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
      output: {
        // Else each module that several lazy parts share would be a script of its own. They are
        // many, and a small script compresses badly.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'later', minShareCount: 2, test: LATER, priority: 1 },
            { name: 'shared', minShareCount: 3 },
          ],
        },
      },
      checks: {
        // The package loads the storage on first use; the page always uses it.
        ineffectiveDynamicImport: false,
        // Slow plugins are no fault of the page.
        pluginTimings: false,
      },
    },
  },
});
