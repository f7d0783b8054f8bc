// The schema of a table holds every writer.

import { beforeEach, expect, it } from 'vitest';

import type { TableClient, TableServiceClient } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

// Age: a required Int32 from 0 to 40. Name: a String of at most 4.
const AGE = [3, ...new TextEncoder().encode('Age'), 2, 0, 2, 5, 0, 0, 0, 0, 6, 40, 0, 0, 0];
const NAME = [4, ...new TextEncoder().encode('Name'), 1, 1, 1, 2, 4];
const SCHEMA = Uint8Array.of(1, 0, ...AGE, ...NAME);

const rex = { partitionKey: 'dogs', rowKey: '1' };

let account: TableServiceClient;
let table: TableClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  table = account.tableClient('Pets');
  await table.createTable();
});

const enforce = (schema?: Uint8Array) =>
  account.session.request({ kind: 'setTableSchema', table: 'Pets', schema });

it('is set, read and removed', async () => {
  const stored = async () => {
    let bytes = new Uint8Array();
    const operation = { kind: 'getTableSchema', table: 'Pets' } as const;
    await account.session.request(operation, undefined, (body) => (bytes = body.slice()));
    return [...bytes];
  };

  expect(await stored()).toEqual([]);
  await enforce(SCHEMA);
  expect(await stored()).toEqual([...SCHEMA]);
  expect((await table.explain()).enforced).toBe(true);
  await enforce();
  expect(await stored()).toEqual([]);
  expect((await table.explain()).enforced).toBe(false);
});

it('is explained with every issue', async () => {
  await enforce(SCHEMA);

  const error = await tableError(table.createEntity({ ...rex, Age: 41, Name: 'Beatrice' }));

  expect(error.code).toBe('SchemaViolation');
  expect(error.statusCode).toBe(400);
  const ofAge = 'Property "Age" holds 41; the maximum of the schema is 40.';
  const ofName =
    'Property "Name" holds "Beatrice", which has 8 UTF-16 units; the maxLength of the schema is 4.';
  expect(error.message).toMatch(
    /^Property "Age" holds 41; the maximum of the schema is 40\. Table/,
  );
  expect(error.details).toMatchObject({ table: 'Pets', ...rex });
  expect(error.issues).toEqual([
    {
      rule: 'schema-maximum',
      path: ['Age'],
      code: 'SchemaViolation',
      message: ofAge,
    },
    {
      rule: 'schema-max-length',
      path: ['Name'],
      code: 'SchemaViolation',
      message: ofName,
      limit: 4,
      actual: 8,
    },
  ]);
});

it('holds the result of a merge', async () => {
  await table.createEntity({ ...rex, Age: 41 });
  await enforce(SCHEMA);

  const error = await tableError(table.updateEntity({ ...rex, Name: 'Rex' }));

  expect(error.issues.map(({ message }) => message)).toEqual([
    'Property "Age" holds 41; the maximum of the schema is 40.',
  ]);
  await table.updateEntity({ ...rex, Age: 7, Name: 'Rex' });
  await table.deleteEntity('dogs', '1');
});

it('holds transactions and imports, and names the entity at fault', async () => {
  await enforce(SCHEMA);
  const good = { ...rex, rowKey: '2', Age: 1 };

  const refused = await tableError(
    table.submitTransaction([
      ['create', good],
      ['create', rex],
    ]),
  );
  expect(refused.details).toMatchObject({ operationIndex: 1, rowKey: '1' });
  expect(refused.issues[0]).toMatchObject({
    rule: 'schema-required',
    message: 'Property "Age" is missing, but the schema requires it.',
  });

  const stopped = await tableError(table.importEntities([good, rex]));
  expect(stopped.code).toBe('SchemaViolation');
  expect(stopped.details).toMatchObject({ entityIndex: 1, stored: 1, rowKey: '1' });
  expect(stopped.issues[0]!.rule).toBe('schema-required');
});

it('may come with a write alone', async () => {
  const insert = { kind: 'insertEntity', table: 'Pets', schema: SCHEMA } as const;
  const body = (age: number) => `{"PartitionKey":"p","RowKey":"r","Age":${age}}`;

  const error = await tableError(account.session.request({ ...insert, body: body(41) }));
  expect(error.code).toBe('SchemaViolation');
  await account.session.request({ ...insert, body: body(40) });
});
