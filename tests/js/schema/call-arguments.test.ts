// Arguments count as they are at the call.

import { expect, it } from 'vitest';

import { createTableHandler } from '../../../js/src/http.js';
import { remoteAccount } from '../../../js/src/remote.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { errorCode } from '../support/rejection.js';

const pets = defineTable('Pets', {
  partitionKey: t.string(),
  rowKey: t.string(),
  n: t.int32().refine(() => Promise.resolve(true), 'is wrong'),
});
const OLD = { etag: `W/"datetime'2020-01-01T00%3A00%3A00Z'"` };

async function open(isRemote: boolean) {
  const account = await openForTest({ storage: memoryStorage(), tables: { pets } });
  if (!isRemote) return account.tables.pets;
  await account.ready;
  const handler = createTableHandler(account, { authentication: 'anonymous' });
  const fetch = (url: string | URL | Request, init?: RequestInit) =>
    handler(new Request(url, init));
  const remote = remoteAccount({ url: 'http://127.0.0.1:10002/devstoreaccount1', fetch });
  return (await remote.openTables({ pets })).pets;
}

it.each([false, true])('of each call, remote: %s', async (isRemote) => {
  const table = await open(isRemote);
  const row = { partitionKey: 'p', rowKey: '1', n: 1 };
  const key = { partitionKey: 'p', rowKey: '1' };

  const insert = table.insert(row);
  row.n = 2;
  expect(await insert).toMatchObject({ n: 1 });
  expect(await table.get(key)).toMatchObject({ n: 1 });

  const upsert = table.upsert(row);
  row.n = 3;
  await upsert;
  expect(await table.get(key)).toMatchObject({ n: 2 });

  const options = { ifUnchanged: OLD };
  const put = table.put(row, options);
  options.ifUnchanged = (await table.get(key))!;
  expect(await errorCode(put)).toBe('UpdateConditionNotSatisfied');

  const [changes, own] = [{ n: 5 }, { ...key }];
  const update = table.update(own, changes);
  changes.n = 6;
  own.rowKey = '2';
  await update;
  expect(await table.get(key)).toMatchObject({ n: 5 });

  const select: ('n' | 'rowKey')[] = ['n'];
  const read = table.get(key, { select });
  select[0] = 'rowKey';
  expect(await read).toMatchObject({ n: 5 });

  await table.insert({ ...key, rowKey: '2', n: 1 });
  const deletion = table.delete(key);
  key.rowKey = '2';
  await deletion;
  expect((await table.list()).map(({ rowKey }) => rowKey)).toEqual(['2']);
});
