// Values that were made elsewhere: in a frame, in jsdom, under a library that replaces Promise.

import { afterEach, describe, expect, it, vi } from 'vitest';

import { odata } from '../../../js/src/entity/odata.js';
import { loadValidator } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest, openTable } from '../support/accounts.js';
import { otherRealm } from '../support/realm.js';
import { wasmBytes } from '../support/wasm.js';

const realm = await otherRealm();
const foreign = {
  born: new realm.Date(0),
  bytes: realm.Uint8Array.of(1, 2, 3),
};
const ours = { born: new Date(0), bytes: Uint8Array.of(1, 2, 3) };
const keys = { partitionKey: 'p', rowKey: 'r' };

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('values of another realm', () => {
  it('are not those of this one', () => {
    expect(foreign.born instanceof Date).toBe(false);
    expect(foreign.bytes instanceof Uint8Array).toBe(false);
  });

  it('are taken as properties by an insert, an import and a check', async () => {
    const table = await openTable({ storage: memoryStorage() });
    const validator = await loadValidator();

    await table.createEntity({ ...keys, ...foreign });
    await table.importEntities([{ ...keys, rowKey: 's', ...foreign }]);

    expect(await table.getEntity('p', 'r')).toMatchObject(ours);
    expect(await table.getEntity('p', 's')).toMatchObject(ours);
    expect(validator.validateEntity({ ...keys, ...foreign })).toEqual([]);
  });

  it('are literals of filters', () => {
    expect(odata`a eq ${foreign.born} or b eq ${foreign.bytes}`).toBe(
      odata`a eq ${ours.born} or b eq ${ours.bytes}`,
    );
  });

  it('are the bytes of imports', async () => {
    const table = await openTable({ storage: memoryStorage() });
    const line = new TextEncoder().encode('{"PartitionKey":"p","RowKey":"r"}');
    const bytes = realm.Uint8Array.from(line);

    expect(await table.importEntities(bytes)).toEqual({ read: 1, stored: 1 });
    await table.deleteEntity('p', 'r');
    expect(await table.importEntities([bytes])).toEqual({ read: 1, stored: 1 });
    await table.deleteEntity('p', 'r');
    const stream = {
      getReader: () => {
        const chunks = [bytes].values();
        return { read: async () => chunks.next(), cancel: async () => undefined };
      },
    };
    expect(await table.importEntities(stream as never)).toEqual({ read: 1, stored: 1 });
  });

  it('are times of access policies', async () => {
    const table = await openTable({ storage: memoryStorage() });
    const start = new realm.Date(86_400_000);

    await table.setAccessPolicy([{ id: 'a', accessPolicy: { start, permission: 'r' } }]);

    const [policy] = await table.getAccessPolicy();
    expect(policy!.accessPolicy!.start).toEqual(new Date(86_400_000));
  });

  it('are the module', async () => {
    const bytes = realm.Uint8Array.from(await wasmBytes());

    const account = await openForTest({ storage: memoryStorage(), wasm: bytes });
    await account.createTable('Pets');
    expect(await collect(account.listTables())).toEqual([{ name: 'Pets' }]);

    const module = await realm.WebAssembly.compile(bytes);
    expect(module instanceof WebAssembly.Module).toBe(false);
    await openForTest({ storage: memoryStorage(), wasm: module });
  });
});

it('an import works if a library has replaced Promise', async () => {
  const table = await openTable({ storage: memoryStorage() });
  // Promises of asynchronous functions remain those of the language.
  vi.stubGlobal('Promise', class LibraryPromise<T> extends Promise<T> {});
  async function* source() {
    yield { ...keys, rowKey: 'a' };
    yield { ...keys, rowKey: 'b' };
  }

  expect(await table.importEntities(source())).toEqual({ read: 2, stored: 2 });
});
