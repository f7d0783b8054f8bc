// workerd.ts - a script of ours in Cloudflare's runtime, with a Durable Object of each kind.

import { readFileSync } from 'node:fs';

import { build } from 'esbuild';
import { Miniflare, type MiniflareOptions } from 'miniflare';

/** The script of a Worker, from a source of this project. */
export async function bundled(source: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['*.wasm', 'cloudflare:*'],
    // A script in a Worker has no address.
    define: { 'import.meta.url': 'undefined', 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
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
