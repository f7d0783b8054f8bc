// workerd.ts - a script of ours in Cloudflare's runtime, with a Durable Object of each kind.

import { readFileSync } from 'node:fs';

import { build, type BuildOptions, type Plugin } from 'esbuild';
import { Miniflare, type MiniflareOptions } from 'miniflare';

// Where the runtime finds the module, whatever name a script has for it.
const wasmBeside: Plugin = {
  name: 'wasm beside',
  setup({ onResolve }) {
    onResolve({ filter: /\.wasm$/ }, () => ({ path: './entitable.wasm', external: true }));
  },
};

/** The script of a Worker, as its tool bundles it, from a source of this project. */
export async function bundled(
  source: string | { readonly contents: string },
  options: BuildOptions = {},
): Promise<string> {
  const { outputFiles } = await build({
    ...(typeof source === 'string'
      ? { entryPoints: [source] }
      : { stdin: { ...source, resolveDir: '.' } }),
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    tsconfig: 'tsconfig.json',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*'],
    plugins: [wasmBeside],
    // A script in a Worker has no address.
    define: { 'import.meta.url': 'undefined', 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
    ...options,
  });
  return outputFiles![0]!.text;
}

/** Starts a Worker. `script` imports the module as `./entitable.wasm`. */
export function startWorker(script: string, options: Partial<MiniflareOptions>): Miniflare {
  return new Miniflare({
    modulesRoot: '/',
    compatibilityDate: '2026-03-01',
    modules: [
      { type: 'ESModule', path: '/main.js', contents: script },
      {
        type: 'CompiledWasm',
        path: '/entitable.wasm',
        contents: readFileSync('build/js/entitable.wasm'),
      },
    ],
    ...options,
  } as MiniflareOptions);
}
