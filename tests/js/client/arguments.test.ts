// Arguments are checked before anything happens.
import { beforeEach, describe, expect, it } from 'vitest';

import { exportAll, importAll } from '../../../js/src/archive.js';
import { deleteAccount } from '../../../js/src/client/delete-account.js';
import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { loadValidator, openAccount } from '../../../js/src/index.js';
import { verify } from '../../../js/src/recovery.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const rex = { partitionKey: 'dogs', rowKey: 'rex', Age: 7 };

let account: TableServiceClient;
let table: TableClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Pets');
  table = account.tableClient('Pets');
});

describe('arguments', () => {
  const misuses: [string, () => unknown, string][] = [
    ['a table without a name', () => account.deleteTable(undefined as never), 'undefined'],
    ['a table named by a number', () => account.createTable(5 as never), '5'],
    ['a client of no table', () => account.tableClient(undefined as never), 'undefined'],
    ['no entity', () => table.createEntity(null as never), 'object'],
    ['a text as entity', () => table.createEntity('rex' as never), 'object'],
    ['no entity to update', () => table.updateEntity(undefined as never), 'object'],
    [
      'a transaction without actions',
      () => table.submitTransaction({} as never),
      'A transaction is a TableTransaction or an array of actions, not an object.',
    ],
    ['no transaction', () => table.submitTransaction(undefined as never), 'not undefined.'],
    ['an action that is no array', () => table.submitTransaction([5] as never), '5'],
    [
      'an unknown option of an action',
      () => table.submitTransaction([['update', rex, 'Merge', { tag: '*' } as never]]),
      'tag',
    ],
    [
      'a signal of one action',
      () =>
        table.submitTransaction([
          ['update', rex, 'Merge', { abortSignal: AbortSignal.abort() } as never],
        ]),
      'abortSignal',
    ],
    ['an archive of no account', () => exportAll(undefined as never), 'undefined'],
    ['an archive of a table', () => exportAll(table as never), 'an object'],
    ['an archive for no account', () => importAll({} as never, new Uint8Array()), 'an object'],
    ['an archive that is a text', () => importAll(account, '{}' as never), 'source'],
    [
      'an entity in the place of its keys, to delete',
      () => table.deleteEntity(rex as never, undefined as never),
      'The partitionKey of deleteEntity must be a string, not an object.',
    ],
    [
      'an entity in the place of its keys, to get',
      () => table.getEntity(rex as never, undefined as never),
      'The partitionKey of getEntity must be a string, not an object.',
    ],
    [
      'a key that is a number',
      () => table.deleteEntity('p', 5 as never),
      'The rowKey of deleteEntity must be a string, not 5.',
    ],
    [
      'a text in the place of an entity',
      () => table.createEntity('rex' as never),
      'An entity must be an object, not "rex". Table "Pets".',
    ],
    [
      'an action on an entity with a key that is a number',
      () => table.submitTransaction([['delete', { partitionKey: 5 as never, rowKey: 'r' }]]),
      'Property "partitionKey" holds 5, which is not a string.',
    ],
    ['policies that are no array', () => table.setAccessPolicy({} as never), 'an object'],
    ['properties that are none', () => account.setProperties(null as never), 'null'],
    ['no listener of the store', () => account.onStatus(null as never), 'null'],
    ['no subscriber', () => table.liveEntities().subscribe(5 as never), '5'],
    ['no listener', () => table.subscribe({}, undefined as never), 'undefined'],
    ['nothing to delete', () => deleteAccount(undefined as never), 'undefined'],
    ['nothing to verify', () => verify(undefined as never), 'undefined'],
    ['a database without a name', () => indexedDbStorage(undefined as never), 'undefined'],
    ['no options', () => openAccount(undefined as never), 'storage'],
  ];

  it.each(misuses)('are refused: %s', async (_, call, named) => {
    const error = await tableError((async () => call())());

    expect(error.code).toBe('InvalidInput');
    expect(error.message).toContain(named);
  });

  it('are checked by a validator, whatever they are', async () => {
    const validator = await loadValidator();

    expect(validator.validateKey(5 as never)).toMatchObject([{ rule: 'key-type' }]);
    expect(validator.validateKey(5 as never)[0]).not.toHaveProperty('path');
    expect(validator.validateKey(undefined as never)).toMatchObject([{ rule: 'key-missing' }]);
    expect(validator.validateTableName(5555 as never)).not.toEqual([]);
    expect(validator.validatePropertyName(undefined as never)).not.toEqual([]);
    for (const entity of [null, undefined, 5, 'rex']) {
      expect(validator.validateEntity(entity as never)).not.toEqual([]);
    }
    expect(validator.validateKey('a')).toEqual([]);
  });
});
