// A copy of a remote table in memory, as the explorer makes it.

import { describe, expect, it } from 'vitest';

import { copyTable, type CopyOptions } from '../../../web-demo/src/copy/copy-table.js';
import { checkIsWritable, copyOf } from '../../../web-demo/src/copy/table-copy.js';
import type { TableClient } from '../../../js/src/index.js';
import { collect } from '../support/accounts.js';
import { errorCode, rejection } from '../support/rejection.js';
import { openCloud } from '../remote/support.js';

async function openPets(entities: readonly object[] = []) {
  const { local, remote, sent } = await openCloud();
  await local.createTable('Pets');
  const pets = local.tableClient('Pets');
  if (entities.length > 0) await pets.importEntities(entities as never);
  const source = remote.tableClient('Pets') as unknown as TableClient;
  return { pets, source, sent };
}

function copy(source: TableClient, filter = '', options: Partial<CopyOptions> = {}) {
  const { signal } = new AbortController();
  return copyTable(source, filter, { signal, onProgress: () => {}, ...options });
}

const dogs = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ partitionKey: 'dogs', rowKey: String(at).padStart(5, '0') },
    ...{ age: at, text: 'x'.repeat(100) },
  }));

const exactly = (table: TableClient) =>
  collect(table.listEntities({ disableTypeConversion: true }));

describe('a copy of a remote table', () => {
  it('has the Timestamps, the etags and the exact types', async () => {
    const { pets, source } = await openPets([
      {
        partitionKey: 'a "b"',
        rowKey: 'é😀',
        whole: { type: 'Double', value: '5' },
        odd: { type: 'Double', value: 'NaN' },
        far: -Infinity,
        small: 1e-300,
        number: 7,
        big: 9223372036854775807n,
        truth: false,
        text: 'line\nfeed " \u2028',
        empty: '',
        when: { type: 'DateTime', value: '2024-05-01T01:02:03.1234567Z' },
        id: { type: 'Guid', value: '0b0b0b0b-0000-4000-8000-00000000000a' },
        bytes: Uint8Array.of(0, 255, 3),
        // Properties that have the names of system properties here.
        $timestamp: 'of ours',
        $partitionKey: 1,
      },
      ...dogs(2),
    ]);
    const { table, count } = await copy(source);

    expect(count).toBe(3);
    expect(await exactly(table)).toEqual(await exactly(pets));
  });

  it('has what the filter selects, of all pages', async () => {
    const { source, sent } = await openPets(dogs(2500));
    const loaded: number[] = [];
    const before = sent.length;
    const made = await copy(source, 'age ge 100', {
      onProgress: (progress) => loaded.push(progress.loaded),
    });

    expect(await made.table.countEntities()).toBe(2400);
    expect(sent.length - before).toBe(3);
    expect(loaded).toEqual([1000, 2000, 2400]);
    expect(made).toMatchObject({ source, filter: 'age ge 100', count: 2400 });
    expect(copyOf(made.table)).toBe(made);
    expect(() => checkIsWritable(made.table)).toThrow('go back to the account');
    expect(() => checkIsWritable(source)).not.toThrow();
  });

  it('may be empty', async () => {
    const { source } = await openPets(dogs(2));
    const { table, count } = await copy(source, 'age gt 5');
    expect(count).toBe(0);
    expect(await exactly(table)).toEqual([]);
  });

  it('is closed with its account', async () => {
    const { source } = await openPets(dogs(1));
    const { table, close } = await copy(source);
    await close();
    expect(await errorCode(table.countEntities())).toBe('AccountClosed');
  });

  it('fails with the error of the service as it is', async () => {
    const { source, pets } = await openPets(dogs(1));
    const wrong = await rejection(collect(source.listEntities({ filter: 'age gt' })));
    expect(await rejection(copy(source, 'age gt'))).toMatchObject({
      ...{ code: 'InvalidInput', message: (wrong as Error).message },
    });
    await pets.deleteTable();
    expect(await rejection(copy(source))).toMatchObject({ code: 'TableNotFound', statusCode: 404 });
  });

  it('says that it has no room', async () => {
    // The store does not make it much shorter.
    const noise = () => crypto.getRandomValues(new Uint8Array(1000));
    const { source } = await openPets(dogs(1000).map((dog) => ({ ...dog, noise: noise() })));
    const error = (await rejection(copy(source, '', { mostBytes: 300_000 }))) as Error;
    expect(error.message).toBe(
      'The copy has no room in the memory of this page, which holds up to 300 kB. Select fewer ' +
        'entities by a filter, and copy those.',
    );
  });

  it('ends with the signal', async () => {
    const { source, sent } = await openPets(dogs(3500));
    const abort = new AbortController();
    const before = sent.length;
    const error = await rejection(
      copy(source, '', { signal: abort.signal, onProgress: () => abort.abort() }),
    );
    expect(error).toMatchObject({ name: 'AbortError' });
    expect(sent.length - before).toBeLessThan(4);
  });
});
