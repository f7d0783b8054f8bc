// worker-site.ts - the site of docs/guides/offline.md: its page uses the official client, and its
// service worker answers.

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { build } from 'esbuild';

import { exampleNamed } from '../../../scripts/lib/documents.mjs';

const RECIPE = 'docs/guides/offline.md';

/**
 * Makes the files of the site in a folder, which it empties before.
 *
 * @param more - HTML that follows the script of the page.
 */
export async function makeWorkerSite(folder: string, more = ''): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['sw.js', 'page.js'])
    await bundle(exampleNamed(RECIPE, name), `${folder}/${name}`);
  copyFileSync('dist/entitable.wasm', `${folder}/entitable.wasm`);
  writeFileSync(
    `${folder}/index.html`,
    `<!doctype html><title>none</title><script type="module" src="page.js"></script>${more}`,
  );
}

async function bundle(contents: string, outfile: string): Promise<void> {
  await build({
    stdin: { contents, resolveDir: '.', loader: 'js' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    external: ['node:*'],
    outfile,
    logLevel: 'silent',
  });
}
