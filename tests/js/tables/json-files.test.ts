// Arrays and objects of declared tables are JSON in JSON files, and long texts are one text.

import { expect, it, onTestFinished } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { errorCode } from '../support/rejection.js';

const notes = defineTable(
  'Notes',
  {
    id: t.string(),
    tags: t.array(t.string()).optional(),
    sizes: t.array(t.int64()).optional(),
    place: t.json<object | string | number>().optional(),
    text: t.text().optional(),
    raw: t.bytes().optional(),
    weight: t.double().optional(),
    title: t.string().optional(),
  },
  { key: 'id' },
);

async function openNotes() {
  const account = await openAccount({ storage: memoryStorage(), tables: { notes } });
  onTestFinished(() => account.close());
  await account.ready;
  return { table: account.tables.notes, untyped: account.tableClient('Notes') };
}

const textOf = (stream: ReadableStream) => new Response(stream).text();
const bytesOf = (text: string) => new TextEncoder().encode(text);

const LONG = 'é"\\\n\u{1f600}'.repeat(20_000);
const ROWS = [
  {
    id: '1',
    tags: ['a', 'b "c" {[\\', 'é'],
    sizes: [1n, 9_007_199_254_740_993n],
    place: { lat: 1.5, in: [{ name: '}]' }], none: null },
    text: 'short',
    weight: 3,
    title: '{"tags":["no"]}',
  },
  {
    id: '2',
    tags: Array.from({ length: 900 }, (_, n) => `${n}`.padEnd(40, '-')),
    text: LONG,
    place: [],
  },
  { id: '3', place: 'a text', text: '[1]', raw: Uint8Array.of(0, 127, 255) },
  { id: '4', place: 5, title: 'nothing else' },
];

it('are exported as JSON, and imported as they were', async () => {
  const { table } = await openNotes();
  await table.insertMany(ROWS);

  const lines = await textOf(table.export());
  const objects = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(objects[0]).toMatchObject({
    tags: ROWS[0]!.tags,
    place: ROWS[0]!.place,
    text: 'short',
    title: '{"tags":["no"]}',
  });
  expect(objects[1]).toMatchObject({ tags: ROWS[1]!.tags, text: LONG, place: [] });
  expect(Object.keys(objects[1]!).filter((name) => name.includes('_'))).toEqual([]);

  const array = await textOf(table.export({ format: 'array' }));
  expect(JSON.parse(array)).toEqual(objects);
  for (const file of [lines, array, JSON.stringify(JSON.parse(array), undefined, 2)]) {
    const { table: copy } = await openNotes();
    // In pieces that cut characters, texts and objects.
    const bytes = bytesOf(file);
    const pieces = [bytes.subarray(0, 7), bytes.subarray(7, 90), bytes.subarray(90)];
    expect(await copy.import(new Blob(pieces).stream())).toEqual({ read: 4, stored: 4 });
    expect(await copy.list()).toMatchObject(ROWS);
  }
});

it('are stored as the same entities, and keep the types of others', async () => {
  const { table, untyped } = await openNotes();
  const keys = { partitionKey: 'all', rowKey: '1' };
  await untyped.createEntity({ ...keys, tags: '["a"]', price: { type: 'Double', value: 3 } });
  const file = await textOf(table.export());
  const { table: copy, untyped: stored } = await openNotes();

  await copy.import(bytesOf(file));

  expect(file).toContain('"tags":["a"]');
  expect(await stored.getEntity('all', '1', { typed: true })).toMatchObject({
    tags: { type: 'String', value: '["a"]' },
    price: { type: 'Double', value: 3 },
  });
});

it('are selected with all their parts', async () => {
  const { table } = await openNotes();
  await table.insertMany(ROWS);

  const [, second] = (await textOf(table.export({ select: ['text'] }))).split('\n');

  expect(JSON.parse(second!)).toMatchObject({ RowKey: '2', text: LONG });
  expect(JSON.parse(second!)).not.toHaveProperty('tags');
});

it('are refused if they are no JSON', async () => {
  const { table } = await openNotes();
  const line = (rest: string) => bytesOf(`{"PartitionKey":"all","RowKey":"1",${rest}}\n`);

  for (const wrong of ['"tags":[1,,2]', '"tags":["a"', '"other":["a"]']) {
    expect(await errorCode(table.import(line(wrong))), wrong).toBe('InvalidInput');
  }
  expect(await errorCode(table.import(Uint8Array.of(0x7b, 0xff, 0x7d)))).toBe('InvalidInput');
  // A merge could leave parts of the stored value.
  const merge = table.import(line('"tags":["a"]'), { mode: 'Merge' });
  expect(await errorCode(merge)).toBe('InvalidInput');
  expect(await table.count()).toBe(0);
  await table.import(line('"tags":[ "a b" ]'));
  expect((await table.list()).map(({ tags }) => tags)).toEqual([['a b']]);
});
