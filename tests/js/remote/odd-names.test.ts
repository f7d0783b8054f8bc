// Names and keys with every kind of character, in addresses, transactions, filters and tokens.

import { describe, expect, it } from 'vitest';

import { odata } from '../../../js/src/index.js';
import type { RemoteTableClient } from '../../../js/src/remote.js';
import { collect } from '../support/accounts.js';
import { errorCode, rejection } from '../support/rejection.js';
import { openCloud } from './support.js';

const KEYS = [
  ...['', ' ', "'", "''", "O'Neil", '"', '%', '%41', '%2F', '+', '&', '=', ';', ',', '(', ')', '.'],
  ...['..', '~', '!', '*', '@', ':', '$', '|', '^', '`', '{}', '[]', '<>', '--b', 'a b'],
  ...['\u00e9', 'e\u0301', '\ufeff', '\ufeffa', '\u2028', '\ufffd', '\u{1f600}', '\uffff'],
];

async function openPets() {
  const cloud = await openCloud();
  await cloud.local.createTable('Pets');
  return {
    ...cloud,
    pets: cloud.remote.tableClient('Pets') as RemoteTableClient,
    here: cloud.local.tableClient('Pets'),
  };
}

describe('keys', () => {
  it('of every kind name one entity, by each method', async () => {
    const { pets, here } = await openPets();
    for (const key of KEYS) {
      const keys = { partitionKey: key, rowKey: key };
      const { etag } = await pets.createEntity({ ...keys, a: key });
      await pets.updateEntity({ ...keys, b: 1 }, 'Merge', { etag: etag! });
      await pets.updateEntity({ ...keys, a: key, b: 2 }, 'Replace');
      await pets.upsertEntity({ ...keys, c: 3 });
      const found = await pets.getEntity(key, key);
      expect(found).toMatchObject({ ...keys, a: key, b: 2, c: 3 });
      expect(found).toEqual(await here.getEntity(key, key));
      const filter = odata`PartitionKey eq ${key} and RowKey eq ${key} and a eq ${key}`;
      expect(await collect(pets.listEntities({ filter }))).toEqual([found]);
    }
    const pages = await collect(pets.listEntities().byPage({ maxPageSize: 1 }));
    const listed = pages.flat().map(({ partitionKey }) => partitionKey);
    expect(listed).toEqual([...KEYS].sort((a, b) => (a < b ? -1 : 1)));
    for (const key of KEYS) await pets.deleteEntity(key, key);
    expect(await collect(here.listEntities())).toEqual([]);
  });

  it('of every kind are kept in a transaction', async () => {
    const { pets, here } = await openPets();
    for (const partitionKey of KEYS) {
      const keys = KEYS.map((rowKey) => ({ partitionKey, rowKey }));
      await pets.submitTransaction(keys.map((one) => ['upsert', one] as ['upsert', typeof one]));
      const found = await collect(
        here.listEntities({ filter: odata`PartitionKey eq ${partitionKey}` }),
      );
      expect(found.length).toBe(KEYS.length);
      await pets.submitTransaction(keys.map((one) => ['delete', one] as ['delete', typeof one]));
    }
    expect(await collect(here.listEntities())).toEqual([]);
  });

  it.each(['a/b', 'a\\b', 'a#b', 'a?b', 'a\nb', '\u0000'])(
    'that the service refuses are refused by the service: %j',
    async (key) => {
      const { pets, here } = await openPets();
      const expected = await rejection(here.createEntity({ partitionKey: key, rowKey: 'r' }));

      expect(await errorCode(pets.createEntity({ partitionKey: key, rowKey: 'r' }))).toBe(
        (expected as { code: string }).code,
      );
      expect(await errorCode(pets.getEntity(key, 'r'))).not.toBe('StorageUnavailable');
    },
  );
});

describe('names of tables', () => {
  it.each([
    'a/b',
    '../Pets',
    'Pets()',
    "Pets'",
    '%50ets',
    'Pets?a=b',
    'Pets#a',
    '$batch',
    'Tables',
  ])('that are none stay what they are in an address: %j', async (name) => {
    const { remote, here } = await openPets();
    const entity = { partitionKey: 'p', rowKey: 'r' };

    const code = await errorCode(remote.tableClient(name).createEntity(entity));

    expect(code).not.toBe('StorageUnavailable');
    expect(await collect(here.listEntities())).toEqual([]);
  });

  it('may be deleted though they cannot exist', async () => {
    const { remote, local } = await openPets();
    for (const name of ["P'ets", 'a/b', '%50ets']) await remote.deleteTable(name);

    expect((await collect(local.listTables())).length).toBe(1);
  });
});

describe('an etag', () => {
  it.each(['', ' ', '"\r\nX: 1', '\u00e9'])(
    'that no header can have is refused: %j',
    async (etag) => {
      const { pets, sent } = await openPets();
      const entity = { partitionKey: 'p', rowKey: 'r' };

      expect(await errorCode(pets.updateEntity(entity, 'Replace', { etag }))).toBe('InvalidInput');
      expect(await errorCode(pets.deleteEntity('p', 'r', { etag }))).toBe('InvalidInput');
      const update = ['update', entity, 'Replace', { etag }] as const;
      expect(await errorCode(pets.submitTransaction([update as never]))).toBe('InvalidInput');
      expect(sent).toEqual([]);
    },
  );
});
