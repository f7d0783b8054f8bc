// What `entitable import` says of files that it cannot store, or not whole.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { entitable, newFile, newFolder } from '../js/support/commands.js';
import { dumpOfFolder } from './support/move.js';

const newPlace = () => join(newFolder(), 'new');

it('says each fault that rows have, and not only the first of a code', async () => {
  const place = newPlace();
  const file = newFile(
    'grp.json',
    [
      { PartitionKey: 'p', RowKey: '1', s: 'x'.repeat(32_769) },
      { PartitionKey: 'p', RowKey: 'r'.repeat(1025) },
      { PartitionKey: 'p', RowKey: '3', s: 'y'.repeat(32_770) },
      { PartitionKey: 'p', RowKey: '4/' },
      { PartitionKey: 'p/', RowKey: '5' },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
  );
  const words = ['import', '--at', place, '--table', 'Sales', file];
  for (const more of [['--dry-run'], []]) {
    const { lines } = await entitable(...words, ...more);
    expect(lines.filter((line) => /grp\.json:\d/.test(line)).sort()).toEqual([
      expect.stringMatching(/grp\.json:1, 3: PropertyValueTooLarge: .*"s"/),
      expect.stringMatching(/grp\.json:2: \w+: .*rowKey.*1025/i),
      expect.stringMatching(/grp\.json:4: \w+: .*"4\/"/),
      expect.stringMatching(/grp\.json:5: \w+: .*"p\/"/),
    ]);
  }
});

it('names rows by their numbers, where several are on one line', async () => {
  const place = newPlace();
  const bad = { g: 'zz', 'g@odata.type': 'Edm.Guid' };
  const rows = [{ v: 1 }, bad, { v: 2 }, bad, { v: 3, w: { deep: 1 } }];
  const file = newFile('oneline.json', JSON.stringify(rows));
  const words = ['import', '--at', place, '--table', 'Sales', file];
  for (const more of [['--dry-run'], []]) {
    const { lines } = await entitable(...words, ...more);
    const refused = lines.filter((line) => line.includes('.json, row'));
    expect(refused.sort()).toEqual([
      expect.stringMatching(/oneline\.json, row 5: InvalidInput: ./),
      expect.stringMatching(/oneline\.json, rows 2, 4: InvalidInput: ./),
    ]);
    expect(refused.join()).not.toContain('of the input');
    const { lines: objects } = await entitable(...words, ...more, '--json');
    const places = objects.slice(0, -1).map((line) => JSON.parse(line) as { row: number });
    places.sort((a, b) => a.row - b.row);
    expect(places).toMatchObject([2, 4, 5].map((row) => ({ file, line: 1, row })));
    expect(objects.join()).not.toContain('of the input');
  }
  const keys = ((await dumpOfFolder(place))['Sales'] as { rowKey: string }[]).map(
    ({ rowKey }) => rowKey,
  );
  expect(keys).toEqual(['oneline-0000000001', 'oneline-0000000003']);
});

it('says of what a merge would make too large only why', async () => {
  const place = newPlace();
  const importing = (name: string) => {
    const row = Object.fromEntries(
      Array.from({ length: 15 }, (_, i) => [`${name}${i}`, 'x'.repeat(32_768)]),
    );
    const file = newFile('big.json', JSON.stringify([{ PartitionKey: 'p', RowKey: '1', ...row }]));
    return entitable('import', '--at', place, '--table', 'Sales', file, '--mode', 'merge');
  };
  await importing('a');
  const { lines } = await importing('b');
  expect(lines[0]).toMatch(/big\.json:1: EntityTooLarge: .*\(1MB\)\.$/);
});

it.each([
  ['empty.csv', '', 'is empty'],
  ['empty.json', '\n', 'is empty'],
  ['five.json', '5', 'has a JSON value'],
  ['page.csv', '<!DOCTYPE html>\n<title>Sign in</title>\n', 'is an HTML page'],
  [
    'newer.jsonl',
    '{"entitable":"archive","version":2}\n',
    'is an archive of version 2, which a newer',
  ],
  ['paper.csv', '%PDF-1.7\n1 0 obj\n', 'is a PDF'],
])('refuses %s, which has no rows, and creates nothing', async (name, text, reason) => {
  const place = newPlace();
  const file = newFile(name, text);
  for (const more of [['--dry-run'], []]) {
    const { code, errors } = await entitable(
      ...['import', '--at', place, '--table', 'Sales', file, ...more],
    );
    expect(errors).toContain(`${file} ${reason}`);
    expect(code).toBe(1);
  }
  expect(existsSync(place)).toBe(false);
});

it.each([
  ['head.csv', 'PartitionKey,RowKey\n'],
  ['none.json', '[]'],
  ['none.jsonl', ''],
])('takes %s for an empty table', async (name, text) => {
  const place = newPlace();
  const { code } = await entitable(
    ...['import', '--at', place, '--table', 'Sales', newFile(name, text)],
  );
  expect(code).toBe(0);
  expect(await dumpOfFolder(place)).toEqual({ Sales: [] });
});

it('names a folder that is given as a file', async () => {
  const folder = newFolder();
  const { code, errors } = await entitable(
    ...['import', '--at', newPlace(), '--table', 'Sales', folder],
  );
  expect({ code, errors }).toEqual({ code: 1, errors: `error: ${folder} is a folder\n` });
});
