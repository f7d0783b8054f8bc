// bundle.mjs - bundles the page and the engines for a browser, and measures their sizes.

import { copyFileSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { build } from 'esbuild';

export const SITE = 'build/bench';

const OPTIONS = {
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'error',
  // The script of declared tables imports the package by its name. Our tsconfig.json would resolve
  // that name to the sources, not to what is published.
  alias: { entitable: './dist/index.js' },
  tsconfigRaw: {},
  define: { 'process.env.NODE_ENV': '"production"' },
  // SQLite imports it only in Node.
  external: ['node:*', 'fs', 'path', 'module'],
};

// The files that each engine needs at its start, from its folder.
const startFiles = new Map();

/** The files that a page may fetch before the script of an engine asks for them. */
export const startFilesOf = (name) => startFiles.get(name);

/** Writes the page and the listed engines into `SITE`. */
export async function bundle(engines) {
  rmSync(SITE, { recursive: true, force: true });
  const entryPoints = ['bench/page/host.js', 'bench/page/worker.js'];
  await build({ ...OPTIONS, entryPoints, outdir: SITE });
  copyFileSync('bench/page/index.html', join(SITE, 'index.html'));
  for (const [name, { adapter, hasAccountWorker, assets = [] }] of Object.entries(engines)) {
    const outdir = join(SITE, name);
    const { metafile } = await build({
      ...OPTIONS,
      entryPoints: {
        adapter: adapterPath(adapter),
        ...(hasAccountWorker && { 'account-worker': adapterPath('account-worker') }),
      },
      outdir,
      metafile: true,
    });
    const scripts = scriptsOf(metafile, join(outdir, 'adapter.js'));
    startFiles.set(name, [
      ...scripts.map((path) => relative(outdir, path)),
      ...assets.map((asset) => basename(asset)),
    ]);
    for (const asset of assets) copyFileSync(asset, join(outdir, basename(asset)));
  }
}

const adapterPath = (name) => `bench/page/adapters/${name}.js`;

/** A script, and those that it needs at once. */
export function scriptsOf({ outputs }, script) {
  const scripts = new Set([script]);
  for (const path of scripts) {
    for (const { path: next, kind, external } of outputs[path].imports) {
      if (kind === 'import-statement' && !external) scripts.add(next);
    }
  }
  return [...scripts];
}

/** The bytes that an app must ship for an engine, with its thin adapter. */
export function downloadSize(name) {
  const folder = join(SITE, name);
  const sizes = { raw: 0, gzip: 0, brotli: 0 };
  for (const file of readdirSync(folder)) {
    const content = readFileSync(join(folder, file));
    sizes.raw += content.length;
    sizes.gzip += gzipSync(content, { level: 9 }).length;
    sizes.brotli += brotliCompressSync(content).length;
  }
  return sizes;
}
