// `entitable query`: histograms, the extended dialect, and a reader that ends first.

import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { expect, it } from 'vitest';

import { entitable } from '../js/support/commands.js';
import { newFolder } from '../package/support/serve.js';
import { inFolder, start } from './support/move.js';
import { ownAccount } from './support/remotes.js';

const SALES = [
  { partitionKey: 'p', rowKey: '1', kind: 'tea', price: 1, born: new Date('2024-05-01') },
  { partitionKey: 'p', rowKey: '2', kind: 'tea', price: 4, born: new Date('2025-05-01') },
  { partitionKey: 'p', rowKey: '3', kind: 'cup', price: 9, born: new Date('2024-05-01') },
  { partitionKey: 'p', rowKey: '4', kind: 'cup', price: 25 },
];

async function sales(): Promise<string> {
  const folder = newFolder();
  await inFolder(folder, async (account) => {
    await account.createTable('Sales');
    for (const row of SALES) await account.tableClient('Sales').createEntity(row);
  });
  return folder;
}

const query = (place: string, ...words: string[]) =>
  entitable('query', '--at', place, '--table', 'Sales', ...words);

it('prints a line for each bin of a histogram, and an object as JSON', async () => {
  const folder = await sales();
  const histogram = async (...words: string[]) => {
    const { code, lines, errors } = await query(folder, '--aggregate', ...words);
    expect(code, errors).toBe(0);
    return lines;
  };

  expect(await histogram('count,histogram:price:2')).toEqual([
    'count  histogram_price_from  histogram_price_to  histogram_price_count',
    '4      1                     13                  3',
    '4      13                    25                  1',
  ]);
  expect(await histogram('b=histogram:price:-1/2/10', '--format', 'csv')).toEqual([
    'b_from,b_to,b_count\r',
    '-1,2,1\r',
    '2,10,2\r',
    '10,,1\r',
  ]);
  expect(await histogram('b=histogram:price:2/10', '--group-by', 'kind')).toEqual([
    'kind  b_from  b_to  b_count',
    'cup   2       10    1',
    'cup   10            1',
    'tea           2     1',
    'tea   2       10    1',
  ]);
  const first = ['--aggregate', 'histogram:price:0/10/20', '--top', '1'];
  expect((await query(folder, ...first)).errors).toBe(
    'there are more lines than these 1: give a greater --top\n',
  );
  const [line] = await histogram('b=histogram:price:2/10,sum:price', '--json');
  expect(JSON.parse(line!)).toEqual({
    sum_price: 39,
    b: { bins: [{ from: 2, to: 10, count: 2 }], below: 1, above: 1 },
  });
});

it('refuses bins that are none, and several histograms on one line', async () => {
  const folder = await sales();
  for (const list of ['histogram:price', 'histogram:price:a', 'histogram:price:1/']) {
    const { code, errors } = await query(folder, '--aggregate', list);
    expect({ code, list }).toEqual({ code: 2, list });
    expect(errors).toContain('histogram:NAME:BINS');
  }
  const two = await query(folder, '--aggregate', 'histogram:price:2,a=histogram:price:3');
  expect(two.code).toBe(2);
  expect(two.errors).toContain('error: several histograms need --json');
});

it('reads filters of the extended dialect in a folder alone', async () => {
  const folder = await sales();
  const filter = "startswith(kind, 'te') and year(born) eq 2025";
  const words = ['--filter', filter, '--select', 'price,kind'];

  const outcome = await query(folder, ...words, '--dialect', 'extended');
  // The columns have the order of --select.
  expect(outcome).toEqual({ code: 0, lines: ['price  kind', '4      tea'], errors: '' });
  expect((await query(folder, ...words)).code).toBe(1);

  const common = ['--at', folder, '--table', 'Sales', '--filter', filter, '--dialect', 'extended'];
  const exported = await entitable('export', ...common, '--to', '-', '--format', 'jsonl');
  expect(exported.lines.map((line) => (JSON.parse(line) as { RowKey: string }).RowKey)).toEqual([
    '2',
  ]);
  expect((await entitable('explain', ...common)).lines[0]).toMatch(/^entities found +1$/);
  const sum = await query(
    folder,
    '--aggregate',
    'sum:price',
    ...words.slice(0, 2),
    ...common.slice(6),
  );
  expect(sum.lines).toEqual(['sum_price', '4']);

  const url = await ownAccount();
  const remote = await query(url, ...words, '--dialect', 'extended');
  expect(remote.code).toBe(1);
  expect(remote.errors).toContain('a storage account does not support --dialect extended');
});

it('ends in silence when the program that reads its output has ended', async () => {
  const folder = newFolder();
  await inFolder(folder, async (account) => {
    await account.createTable('Sales');
    // More than a pipe holds.
    const rows = function* () {
      for (let i = 0; i < 8000; i++) yield { partitionKey: 'p', rowKey: `${i}`, i };
    };
    await account.tableClient('Sales').importEntities(rows());
  });
  for (const words of [
    ['query', '--table', 'Sales', '--json'],
    ['export', '--table', 'Sales', '--to', '-'],
    ['export', '--to', '-'],
  ]) {
    const child = start([...words, '--at', folder]);
    const errors = text(child.stderr);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = (await once(child, 'exit')) as [number];
    expect({ words, code, errors: await errors }).toEqual({ words, code: 141, errors: '' });
  }
});
