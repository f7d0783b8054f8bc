// A remote account needs no module: also a declared table without a validator, whose rows are
// refused and upgraded.
//
// isolated: no file before it may have loaded the validator.

import { expect, it } from 'vitest';

import { remoteAccount, type RemoteFetch } from '../../../js/src/remote.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { latestValidator } from '../../../js/src/validation/latest.js';
import { tableError } from '../support/rejection.js';

const people = defineTable(
  'People',
  {
    partitionKey: t.string(),
    rowKey: t.string(),
    first: t.string({ pattern: /^[A-Z]/ }),
    last: t.string(),
  },
  {
    version: 2,
    upgrade: {
      1: ({ name, ...row }) => {
        const [first, last] = String(name).split(' ');
        return { ...row, first, last };
      },
    },
  },
);

it('upgrades rows, and refuses rows by their patterns', async () => {
  const bodies: (string | undefined)[] = [];
  const row =
    '{"odata.etag":"W/\\"x\\"","PartitionKey":"a","RowKey":"1","Timestamp":"2024-01-02T03:04:05Z",' +
    '"name":"Ada Lovelace","schemaVersion":1}';
  const fetch: RemoteFetch = (_, { method, body }) => {
    bodies.push(body);
    return Promise.resolve(
      method === 'GET'
        ? new Response(row, { headers: { 'x-ms-request-id': '1' } })
        : new Response(null, { status: 204, headers: { ETag: 'W/"y"' } }),
    );
  };
  const account = remoteAccount({ url: 'https://acct.table.core.windows.net', fetch });
  const { people: table } = await account.openTables({ people });

  expect(await table.get({ partitionKey: 'a', rowKey: '1' })).toMatchObject({
    first: 'Ada',
    last: 'Lovelace',
  });
  const refused = table.insert({ partitionKey: 'a', rowKey: '2', first: 'bob', last: 'B' });
  expect(await tableError(refused)).toMatchObject({ code: 'SchemaViolation' });
  expect(bodies).toEqual([undefined]);
  await table.update({ partitionKey: 'a', rowKey: '1' }, { last: 'King' });
  expect(JSON.parse(bodies.at(-1)!)).toMatchObject({
    first: 'Ada',
    last: 'King',
    schemaVersion: 2,
  });
  expect(latestValidator()).toBeUndefined();
});
