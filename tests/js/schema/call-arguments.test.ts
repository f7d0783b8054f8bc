// Arguments count as they are at the call.

import { expect, it } from 'vitest';

import { createTableHandler } from '../../../js/src/http.js';
import { remoteAccount } from '../../../js/src/remote.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { errorCode } from '../support/rejection.js';

const pets = defineTable('Pets', {
  partitionKey: t.string(),
  rowKey: t.string(),
  n: t.int32().refine(() => Promise.resolve(true), 'is wrong'),
});
const OLD_ETAG = `W/"datetime'2020-01-01T00%3A00%3A00Z'"`;

async function open(isRemote: boolean) {
  const account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Pets');
  if (!isRemote) return account.table(pets);
  const handler = createTableHandler(account, { authentication: 'anonymous' });
  const fetch = (url: string | URL | Request, init?: RequestInit) =>
    handler(new Request(url, init));
  return remoteAccount({ url: 'http://127.0.0.1:10002/devstoreaccount1', fetch }).table(pets);
}

it.each([false, true])('of a transaction, remote: %s', async (isRemote) => {
  const table = await open(isRemote);
  const keys = { partitionKey: 'p', rowKey: '1' };
  for (const rowKey of ['1', '2']) await table.createEntity({ ...keys, rowKey, n: 1 });

  const deletion = table.submitTransaction([['delete', keys]]);
  keys.rowKey = '2';
  await deletion;
  expect((await collect(table.listEntities())).map(({ rowKey }) => rowKey)).toEqual(['2']);

  const options = { etag: OLD_ETAG };
  const row = { ...keys, n: 2 };
  const update = table.submitTransaction([['update', row, 'Replace', options]]);
  options.etag = '*';
  expect(await errorCode(update)).toBe('UpdateConditionNotSatisfied');

  class Conditions {
    get etag() {
      return OLD_ETAG;
    }
  }
  const inherited = table.submitTransaction([['update', row, 'Replace', new Conditions()]]);
  expect(await errorCode(inherited)).toBe('UpdateConditionNotSatisfied');
  const list = table.submitTransaction([['update', row, 'Replace', [] as never]]);
  expect(await errorCode(list)).toBe('InvalidInput');

  const actions: ['update', typeof row][] = [['update', row]];
  const merge = table.submitTransaction(actions);
  row.n = 3;
  actions.push(['update', { ...row, rowKey: '3' }]);
  await merge;
  expect(await table.getEntity('p', '2')).toMatchObject({ n: 2 });
});

it.each([false, true])('of a write, remote: %s', async (isRemote) => {
  const table = await open(isRemote);
  const row = { partitionKey: 'p', rowKey: '1', n: 1 };

  const insert = table.createEntity(row);
  row.n = 2;
  await insert;
  expect(await table.getEntity('p', '1')).toMatchObject({ n: 1 });

  const upsert = table.upsertEntity(row, 'Merge');
  row.n = 3;
  await upsert;
  expect(await table.getEntity('p', '1')).toMatchObject({ n: 2 });

  const options = { etag: OLD_ETAG };
  const update = table.updateEntity(row, 'Replace', options);
  options.etag = '*';
  expect(await errorCode(update)).toBe('UpdateConditionNotSatisfied');

  const select: ('n' | 'rowKey')[] = ['n'];
  const read = table.getEntity('p', '1', { select });
  select[0] = 'rowKey';
  expect(await read).toMatchObject({ n: 2 });
});
