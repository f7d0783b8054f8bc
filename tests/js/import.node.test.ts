// isolated: it looks at what modules do when they are loaded.

import { afterEach, expect, it } from 'vitest';

const GLOBALS = [
  'WebAssembly',
  'crypto',
  'document',
  'fetch',
  'indexedDB',
  'localStorage',
  'navigator',
  'self',
  'window',
  'TextEncoder',
  'TextDecoder',
];
const original = new Map(
  GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]),
);

afterEach(() => {
  for (const [name, descriptor] of original) {
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    else delete (globalThis as Record<string, unknown>)[name];
  }
});

it('can be imported on a server: nothing runs, no global is touched', async () => {
  const touched = new Set<string>();
  for (const name of GLOBALS) {
    const descriptor = original.get(name);
    const value = (globalThis as Record<string, unknown>)[name];
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => {
        // Others may: only what our own sources do counts.
        if (new Error().stack!.includes('/js/src/')) touched.add(name);
        return descriptor ? value : undefined;
      },
    });
  }

  const modules = [
    await import('../../js/src/index.js'),
    await import('../../js/src/explorer.js'),
    await import('../../js/src/storage/deno-kv.js'),
    await import('../../js/src/storage/durable-object.js'),
    await import('../../js/src/storage/indexeddb.js'),
    await import('../../js/src/storage/max-value-bytes.js'),
    await import('../../js/src/storage/memory.js'),
    await import('../../js/src/storage/opfs.js'),
  ];

  expect(modules.flatMap(Object.keys)).toContain('openAccount');
  expect([...touched]).toEqual([]);
});

it('exports exactly these names', async () => {
  expect(Object.keys(await import('../../js/src/index.js')).sort()).toEqual([
    'ERROR_CODES',
    'TableError',
    'TableTransaction',
    'avg',
    'count',
    'countDistinct',
    'deleteAccount',
    'histogram',
    'loadValidator',
    'max',
    'min',
    'odata',
    'openAccount',
    'quantile',
    'sum',
  ]);
  expect(Object.keys(await import('../../js/src/explorer.js'))).toEqual(['mountExplorer']);
  expect(Object.keys(await import('../../js/src/storage/deno-kv.js'))).toEqual(['denoKvStorage']);
  expect(Object.keys(await import('../../js/src/storage/durable-object.js'))).toEqual([
    'durableObjectStorage',
  ]);
  expect(Object.keys(await import('../../js/src/storage/max-value-bytes.js'))).toEqual([
    'withMaxValueBytes',
  ]);
  expect(Object.keys(await import('../../js/src/storage/indexeddb.js'))).toEqual([
    'indexedDbStorage',
  ]);
  expect(Object.keys(await import('../../js/src/storage/memory.js'))).toEqual(['memoryStorage']);
  expect(Object.keys(await import('../../js/src/storage/opfs.js')).sort()).toEqual([
    'FileDamage',
    'StoreHeld',
    'TornEnd',
    'opfsStorage',
  ]);
});
