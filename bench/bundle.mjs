// bundle.mjs - bundles the page and the engines for a browser, and measures their sizes.

import { copyFileSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
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
  define: { 'process.env.NODE_ENV': '"production"' },
  // SQLite imports it only in Node.
  external: ['node:*', 'fs', 'path', 'module'],
};

/** Writes the page and the listed engines into `SITE`. */
export async function bundle(engines) {
  rmSync(SITE, { recursive: true, force: true });
  const entryPoints = ['bench/page/host.js', 'bench/page/worker.js'];
  await build({ ...OPTIONS, entryPoints, outdir: SITE });
  copyFileSync('bench/page/index.html', join(SITE, 'index.html'));
  for (const [name, { adapter, assets = [] }] of Object.entries(engines)) {
    const outdir = join(SITE, name);
    const entry = `bench/page/adapters/${adapter}.js`;
    await build({ ...OPTIONS, entryPoints: { adapter: entry }, outdir });
    for (const asset of assets) copyFileSync(asset, join(outdir, basename(asset)));
  }
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
