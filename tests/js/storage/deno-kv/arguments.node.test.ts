// The arguments of denoKvStorage.

import { expect, it } from 'vitest';

import { denoKvStorage, type DenoKvLike } from '../../../../js/src/storage/deno-kv.js';
import type { Batch } from '../../../../js/src/storage/page-storage.js';
import { KvDouble } from '../../support/deno-kv/double.js';
import { openForTest } from '../../support/accounts.js';
import { tableError } from '../../support/rejection.js';
import { wasmBytes } from '../../support/wasm.js';

const made = async (kv: unknown, name: unknown) => denoKvStorage(kv as DenoKvLike, name as string);

it.each([undefined, null, 'kv', {}, Promise.resolve(new KvDouble()), { getMany() {} }])(
  'takes only a database: not %o',
  async (kv) => {
    const { code, message } = await tableError(made(kv, 'a'));

    expect(code).toBe('InvalidInput');
    expect(message).toContain('await Deno.openKv()');
  },
);

it.each([undefined, 5, '', 'é', 'a\0', 'x'.repeat(65)])('takes no name like %o', async (name) => {
  const { code, message } = await tableError(made(new KvDouble(), name));

  expect(code).toBe('InvalidInput');
  expect(message).toContain('1 to 64 printable ASCII characters');
});

const batch = (value: number): Batch => ({
  expect: [['log/base', undefined]],
  puts: [['log/base', Uint8Array.of(value)]],
  deletes: [],
});

it('keeps stores with other names apart', async () => {
  const kv = new KvDouble();
  const names = ['a', 'ab', 'a b', 'A', ' ', '~', 'x'.repeat(64)];
  for (const [at, name] of names.entries()) {
    expect(await denoKvStorage(kv, name).commit(batch(at))).toEqual({ outcome: 'ok' });
  }

  for (const [at, name] of names.entries()) {
    const { values } = await denoKvStorage(kv, name).read({ keys: ['log/base'] });
    expect(values).toEqual([Uint8Array.of(at)]);
    await denoKvStorage(kv, name).destroy();
  }
});

it('reports a value that something else has put under a key of the store', async () => {
  const kv = new KvDouble();
  const storage = denoKvStorage(kv, 'a');
  await storage.commit(batch(1));
  await kv.atomic().set(['entitable', 'a', 'main', 'base'], 'mine').commit();

  const error = await tableError(storage.read({ keys: ['log/base'] }));
  expect(error.code).toBe('StorageDamaged');
  expect(error.message).toContain('log/base');
});

it('leaves the database open when an account on it is closed', async () => {
  const kv = new KvDouble();
  const account = await openForTest({
    storage: denoKvStorage(kv, 'a'),
    wasm: await wasmBytes(),
  });
  await account.createTable('Pets');
  await account.close();

  const again = await openForTest({ storage: denoKvStorage(kv, 'a'), wasm: await wasmBytes() });
  expect(await again.tableClient('Pets').countEntities()).toBe(0);
});
