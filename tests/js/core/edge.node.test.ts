import { build } from 'esbuild';
import { expect, it } from 'vitest';

import type * as Package from '../../../js/src/index.js';
import { wasmBytes } from '../support/wasm.js';

// As on Cloudflare Workers: the platform compiles the module, a script has no
// address of its own, and there is no eval.
it('runs from a compiled module in one script without import.meta.url', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export * from './js/src/index.ts';
        export * from './js/src/storage/memory.ts';
      `,
      resolveDir: new URL('../../..', import.meta.url).pathname,
    },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    define: { 'import.meta.url': 'undefined' },
    logLevel: 'silent',
  });
  const script = outputFiles[0]!.text;
  expect(script).not.toMatch(/\beval\s*\(|new Function\b/);

  const { openAccount, memoryStorage } = (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(script)}`
  )) as typeof Package & typeof import('../../../js/src/storage/memory.js');
  const wasm = await WebAssembly.compile(await wasmBytes());
  const account = await openAccount({ storage: memoryStorage(), wasm });
  await account.createTable('Pets');

  expect(await account.listTables().next()).toEqual({ done: false, value: { name: 'Pets' } });
  await account.close();
});
