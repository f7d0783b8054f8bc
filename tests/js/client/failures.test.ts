// An error names the table, the keys, the rule and the value of the call that failed.

import { expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const rex = { partitionKey: 'dogs', rowKey: '1' };

async function pets(): Promise<TableClient> {
  const account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Pets');
  return account.tableClient('Pets');
}

it('names the table and the keys behind the text of the service', async () => {
  const table = await pets();
  await table.createEntity(rex);

  const error = await tableError(table.createEntity(rex));

  expect(error.message).toBe(
    'The specified entity already exists. Table "Pets", PartitionKey "dogs", RowKey "1".',
  );
  expect(error.details).toMatchObject({ table: 'Pets', ...rex });
  expect(error.details.odataError.message.value).toBe('The specified entity already exists.');
});

it('does so for each call about an entity', async () => {
  const table = await pets();
  const where = 'Table "Pets", PartitionKey "dogs", RowKey "1".';

  for (const call of [
    table.getEntity('dogs', '1'),
    table.updateEntity(rex),
    table.deleteEntity('dogs', '1'),
  ]) {
    expect((await tableError(call)).message).toBe(
      `The specified resource does not exist. ${where}`,
    );
  }
});

it('names the property that breaks a rule, its value and the limit', async () => {
  const table = await pets();
  const refused = async (properties: object) =>
    (await tableError(table.upsertEntity({ ...rex, ...properties }))).message.replace(
      / Table "Pets", PartitionKey "dogs", RowKey "1"\.$/,
      '',
    );

  expect(await refused({ chip: 2n ** 63n })).toMatch(
    / Property "chip" holds 9223372036854775808, which is beyond Int64\.$/,
  );
  expect(await refused({ name: 'x'.repeat(32_769) })).toMatch(
    / Property "name" holds "x{63}…", which has 32769 UTF-16 units; the limit is 32768\.$/,
  );
  expect(await refused({ photo: new Uint8Array(65_537) })).toMatch(
    / Property "photo" has 65537 bytes; the limit is 65536\.$/,
  );
  expect(await refused({ id: { type: 'Guid', value: 'none' } })).toMatch(
    / Property "id" holds none as Guid, which is not a Guid\.$/,
  );
  expect(await refused({ 'a-b': 1 })).toMatch(
    / Property "a-b" has a name with a character that is not allowed: "-" at position 1\.$/,
  );
  expect(await refused({ weight: { type: 'Int32', value: true } })).toMatch(
    / Property "weight" holds true as Int32, which is not of that type\.$/,
  );
});

it('says once what is wrong with a value that has no type of the service', async () => {
  const table = await pets();
  const where = 'Table "Pets", PartitionKey "dogs", RowKey "1".';

  for (const [value, sentence] of [
    [() => 'wow', 'a function, which has none of the types of the service'],
    [{ age: 1 }, 'an object, which has none of the types of the service'],
    [
      { type: 'Int65', value: '5' },
      '5 as Int65, which names a type that the service does not have',
    ],
  ]) {
    const { message } = await tableError(table.upsertEntity({ ...rex, bark: value as string }));
    expect(message).toBe(
      `One of the request inputs is not valid. Property "bark" holds ${sentence}. ${where}`,
    );
  }
  const { message } = await tableError(table.upsertEntity({ ...rex, etag: 5 as never }));
  expect(message.match(/system property/g)).toHaveLength(1);
});

it('has every rule that the entity breaks', async () => {
  const table = await pets();

  const error = await tableError(
    table.createEntity({ partitionKey: 'a/b', rowKey: '1', chip: 2n ** 63n, 'a-b': 1 }),
  );

  expect(error.issues.map(({ rule, path }) => [rule, path])).toEqual(
    expect.arrayContaining([
      ['key-character', ['partitionKey']],
      ['int64-range', ['chip']],
      ['property-name-character', ['a-b']],
    ]),
  );
  expect(error.issues).toHaveLength(3);
  expect(error.issues[0]!.code).toBe(error.code);
});

it.each([
  ['a/b', '/', 1],
  ['ab\\c', '\\', 2],
  ['\t', '\t', 0],
])('says of the key %j in every call which character is wrong, and where', async (key, ...at) => {
  const table = await pets();
  const [character, position] = at;
  const keys = { partitionKey: 'p', rowKey: key };

  for (const call of [
    () => table.createEntity(keys),
    () => table.getEntity('p', key),
    () => table.updateEntity(keys),
    () => table.upsertEntity(keys, 'Replace'),
    () => table.deleteEntity('p', key),
    () => table.submitTransaction([['create', keys]]),
    () => table.submitTransaction([['upsert', keys]]),
    () => table.submitTransaction([['delete', keys]]),
  ]) {
    const { issues, message } = await tableError(call());
    expect(issues).toMatchObject([
      { rule: 'key-character', path: ['rowKey'], character, position },
    ]);
    expect(message).toContain(issues[0]!.message);
  }
});

it.each([
  ['a#b', 'key-character'],
  ['x'.repeat(1025), 'key-length'],
])('says of %#, which no entity can have, why there is none', async (key, rule) => {
  const table = await pets();
  const { code, issues, message } = await tableError(table.getEntity('p', key));

  expect(code).toBe('ResourceNotFound');
  expect(issues).toMatchObject([{ rule, path: ['rowKey'] }]);
  expect(message).toContain(issues[0]!.message);
});

it('says of an entity of an import which key has no text', async () => {
  const table = await pets();
  const bad = { partitionKey: 'p', rowKey: 5 as never };
  const { issues } = await tableError(table.importEntities([rex, bad]));

  expect(issues).toMatchObject([{ rule: 'key-type', path: ['rowKey'] }]);
});

it('shows the entity as it was when the call was made', async () => {
  const table = await pets();
  const message = /Property "chip" holds 9223372036854775808, .* RowKey "1"/;
  const entities = [1, 2].map(() => ({ ...rex, chip: 2n ** 63n }));
  const calls = [
    table.createEntity(entities[0]!),
    table.submitTransaction([['create', entities[1]!]]),
  ].map(tableError);
  for (const entity of entities) Object.assign(entity, { rowKey: '2', chip: 1n });

  for (const call of calls) {
    const { message: text, issues } = await call;
    expect(text).toMatch(message);
    expect(issues).toMatchObject([{ rule: 'int64-range', path: ['chip'] }]);
  }
});

it('has no issues if no rule is the reason', async () => {
  const table = await pets();

  expect((await tableError(table.getEntity('dogs', '1'))).issues).toEqual([]);
});

it('names the rule that the name of a table breaks', async () => {
  const account = await openForTest({ storage: memoryStorage() });

  const error = await tableError(account.createTable('my-pets'));

  expect(error.message).toMatch(/The table name "my-pets" is not allowed: "-" at position 2\./);
  expect(error.message).not.toContain('Table "my-pets"');
  expect(error.issues.map(({ rule }) => rule)).toEqual(['table-name-character']);
  expect(error.details.table).toBe('my-pets');
});

it('names the operation of a transaction that is at fault', async () => {
  const table = await pets();
  await table.createEntity(rex);

  for (const split of [false, true]) {
    const error = await tableError(
      table.submitTransaction(
        [
          ['upsert', { partitionKey: 'dogs', rowKey: '0' }],
          ['create', rex],
        ],
        { split },
      ),
    );

    expect(error.message).toBe(
      '1:The specified entity already exists. ' +
        'Table "Pets", PartitionKey "dogs", RowKey "1", operation 1 (create).',
    );
    expect(error.details).toMatchObject({ operationIndex: 1, table: 'Pets', ...rex });
    expect(error.details.odataError.message.value).toBe('1:The specified entity already exists.');
  }
});

it('names the entity of an import that is at fault', async () => {
  const table = await pets();

  const error = await tableError(table.importEntities([rex, rex]));

  expect(error.message).toBe(
    'The specified entity already exists. Table "Pets", PartitionKey "dogs", RowKey "1", entity 1 of the input.',
  );
});

it('names the filter that cannot be read', async () => {
  const table = await pets();

  const error = await tableError(table.listEntities({ filter: 'Age gt b' }).next());

  expect(error.message).toMatch(/ Table "Pets", filter "Age gt b"\.$/);
});

it('says which limit a filter breaks', async () => {
  const table = await pets();
  const limits = [
    [`Name eq '${'é'.repeat(16 * 1024)}'`, 'The filter is longer than 32,768 bytes of UTF-8.'],
    [
      `${'('.repeat(1001)}Age eq 1${')'.repeat(1001)}`,
      "The filter nests more than 1,000 parentheses and 'not' in one another.",
    ],
  ] as const;

  for (const [filter, message] of limits) {
    const error = await tableError(table.countEntities({ filter }));
    expect(error.code).toBe('InvalidInput');
    expect(error.message).toContain(message);
    expect(error.message.length).toBeLessThan(300);
  }
});

it('says where a filter cannot be read, and what to write instead', async () => {
  const table = await pets();
  const refused = async (filter: string) =>
    (await tableError(table.listEntities({ filter }).next())).message;

  expect(await refused('aaa bbb ccc')).toMatch(
    /^Syntax error at position 7 in 'aaa bbb ccc'\. Position 7 is behind "aaa bbb"\. Table "Pets"\.$/,
  );
  const long = `${'a eq 1 and '.repeat(5)}b c d`;
  expect(await refused(long)).toContain(' is behind "… 1 and a eq 1 and a eq 1 and b c".');
  expect(await refused('Age gt')).toContain(' Position 6 is the end of the filter.');
  for (const filter of ['Age eq null', "Name ne 'a' and null ne Age"]) {
    expect(await refused(filter)).toContain(' No property is null: ');
  }
  expect(await refused("5 and Name eq 'null'")).not.toContain('No property is null');
  for (const filter of ["startswith(Name, 'bee')", 'Name eq bee', 'Age add 1 gt 5']) {
    expect(await refused(filter)).toContain(" ask for Name ge 'bee' and Name lt 'bef'.");
  }
});

it('shortens long values', async () => {
  const table = await pets();
  const key = 'k'.repeat(1000);

  const error = await tableError(table.getEntity(key, '1'));

  expect(error.message).toContain(`PartitionKey "${'k'.repeat(63)}…"`);
  expect(error.details.partitionKey).toBe(key);
});
