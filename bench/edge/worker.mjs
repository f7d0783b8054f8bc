// worker.mjs - Workers in Cloudflare's runtime on this machine, and times.

import { readFileSync } from 'node:fs';

import { build as bundle } from 'esbuild';
import { Miniflare } from 'miniflare';

/** The script of a Worker, as its tool bundles it. */
export async function scriptOf(contents) {
  const { outputFiles } = await bundle({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    plugins: [
      {
        name: 'wasm beside',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\.wasm$/ }, () => ({ path: './entitable.wasm', external: true })),
      },
    ],
  });
  return outputFiles[0].text;
}

/** Starts a Worker whose script imports the module as `./entitable.wasm`. */
export const start = (script) =>
  new Miniflare({
    modulesRoot: '/',
    compatibilityDate: '2026-03-01',
    modules: [
      { type: 'ESModule', path: '/main.js', contents: script },
      {
        type: 'CompiledWasm',
        path: '/entitable.wasm',
        contents: readFileSync('dist/entitable.wasm'),
      },
    ],
    durableObjects: { TABLES: { className: 'TableObject', useSQLite: true } },
  });

export const medianOf = (times) => times.toSorted((one, other) => one - other)[times.length >> 1];

/** In ms. */
export async function timeOf(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

export async function timesOf(count, work) {
  const times = [];
  for (let at = 0; at < count; at++) times.push(await timeOf(() => work(at)));
  return times;
}

export const number = (value) => value.toFixed(value < 10 ? 2 : 0);
