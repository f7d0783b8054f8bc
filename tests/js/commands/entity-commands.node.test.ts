// Tables and single entities, in a folder and behind the REST API.

import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { startServer } from '../../../js/src/server.js';
import { entitable, newFile, newFolder } from '../support/commands.js';

const PETS = [
  '{"PartitionKey":"dogs","RowKey":"Rex","age":7}',
  '{"PartitionKey":"dogs","RowKey":"Waldi","age":12,"chip@odata.type":"Edm.Int64","chip":"12"}',
  '{"PartitionKey":"cats","RowKey":"Tom"}',
];

async function folder(): Promise<string> {
  const at = join(newFolder(), 'account');
  const file = newFile('pets.jsonl', PETS.join('\n'));
  await entitable('import', '--at', at, '--table', 'Pets', file);
  return at;
}

const pets = async (at: string) =>
  (await entitable('query', '--at', at, '--table', 'Pets', '--select', 'RowKey', '--json')).lines;

it('create makes tables, and the folder, and leaves what is there', async () => {
  const at = join(newFolder(), 'new');

  expect(await entitable('create', '--at', at, 'Pets', 'Toys')).toMatchObject({
    code: 0,
    lines: ['Pets created', 'Toys created'],
  });
  expect((await entitable('create', '--at', at, 'pets')).lines).toEqual(['pets is there already']);
  expect((await entitable('create', '--at', at, 'a b')).errors).toContain(
    'contains invalid characters',
  );
});

it('tables counts their entities', async () => {
  const at = await folder();
  await entitable('create', '--at', at, 'Empty');

  expect((await entitable('tables', '--at', at, '--count')).lines).toEqual([
    'Empty  0',
    'Pets   3',
  ]);
  expect((await entitable('tables', '--at', at, '--count', '--json')).lines).toEqual([
    '{"name":"Empty","count":0}',
    '{"name":"Pets","count":3}',
  ]);
});

it('drop deletes tables, and none if a name is misspelled', async () => {
  const at = await folder();
  await entitable('create', '--at', at, 'Toys');

  expect(await entitable('drop', '--at', at, 'Toys', 'Pet')).toMatchObject({
    code: 1,
    errors: 'error: there is no table Pet; there are Pets, Toys\n',
  });
  expect((await entitable('drop', '--at', at, 'toys')).lines).toEqual(['toys deleted']);
  expect((await entitable('tables', '--at', at)).lines).toEqual(['Pets']);
});

it('get prints an entity with the types of its properties', async () => {
  const at = await folder();
  const { code, lines } = await entitable('get', '--at', at, '--table', 'Pets', 'dogs', 'Waldi');

  expect(code).toBe(0);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    age: 12,
    chip: '12',
    'chip@odata.type': 'Edm.Int64',
  });
  expect((await entitable('get', '--at', at, '--table', 'Pets', 'dogs', 'Tom')).errors).toContain(
    'The specified resource does not exist',
  );
});

it('delete takes two keys', async () => {
  const at = await folder();

  expect((await entitable('delete', '--at', at, '--table', 'Pets', 'dogs', 'Rex')).lines).toEqual([
    'Pets: 1 entity deleted',
  ]);
  expect(await pets(at)).toEqual(['{"RowKey":"Tom"}', '{"RowKey":"Waldi"}']);
  expect(await entitable('delete', '--at', at, '--table', 'Pets', 'dogs', 'Rex')).toMatchObject({
    code: 1,
    errors: expect.stringContaining('The specified resource does not exist'),
  });
});

it('delete takes a filter, and counts first', async () => {
  const at = await folder();
  const words = ['delete', '--at', at, '--table', 'Pets', '--filter', "PartitionKey eq 'dogs'"];

  expect((await entitable(...words, '--dry-run')).lines).toEqual([
    'Pets: 2 entities would be deleted',
  ]);
  expect((await entitable(...words)).lines).toEqual(['Pets: 2 entities deleted']);
  expect(await pets(at)).toEqual(['{"RowKey":"Tom"}']);
});

it.each([
  [['delete', '--at', 'x', '--table', 'Pets'], 'two keys or --filter TEXT'],
  [['delete', '--at', 'x', '--table', 'Pets', 'dogs'], 'two keys or --filter TEXT'],
  [['delete', '--at', 'x', '--table', 'Pets', 'a', 'b', '--filter', 'c'], 'two keys or --filter'],
  [['delete', '--at', 'x', '--table', 'Pets', 'a', 'b', '--dry-run'], '--dry-run is for --filter'],
  [['get', '--at', 'x', '--table', 'Pets', 'dogs'], 'PARTITIONKEY ROWKEY'],
  [['create', '--at', 'x'], 'create takes --at PLACE NAME...'],
  [['drop', '--at', 'x'], 'drop takes --at PLACE NAME...'],
])('%j names what is missing', async (words, message) => {
  expect(await entitable(...words)).toMatchObject({
    code: 2,
    errors: expect.stringContaining(message),
  });
});

it('all of them work on a storage account', async () => {
  const server = await startServer({ port: 0 });
  onTestFinished(() => server.close());
  const at = ['--at', server.url];
  await entitable('create', ...at, 'Pets');
  await entitable('import', ...at, '--table', 'Pets', newFile('pets.jsonl', PETS.join('\n')));

  expect((await entitable('tables', ...at, '--count')).lines).toEqual(['Pets  3']);
  const got = await entitable('get', ...at, '--table', 'Pets', 'dogs', 'Rex');
  expect(JSON.parse(got.lines[0]!)).toMatchObject({ RowKey: 'Rex', age: 7 });
  const words = ['delete', ...at, '--table', 'Pets', '--filter', "PartitionKey eq 'dogs'"];
  expect((await entitable(...words, '--dry-run')).lines).toEqual([
    'Pets: 2 entities would be deleted',
  ]);
  expect((await entitable(...words)).lines).toEqual(['Pets: 2 entities deleted']);
  expect((await entitable('tables', ...at, '--count')).lines).toEqual(['Pets  1']);
  expect((await entitable('drop', ...at, 'Pets')).lines).toEqual(['Pets deleted']);
});
