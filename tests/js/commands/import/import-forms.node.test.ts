// Files as spreadsheets and other programs of several countries write them.

import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { newFile, newFolder, run } from '../../support/commands.js';

/** Imports a file, and returns the exit code, what was printed, and the properties as JSON. */
async function imported(content: string | Uint8Array, ...words: string[]) {
  const file = newFile('rows.csv', content);
  const at = ['--at', join(newFolder(), 'account'), '--table', 'Rows'];
  const { code, lines } = await run('import', ...at, file, ...words);
  const listed = words.includes('--dry-run') ? [] : (await run('query', ...at, '--json')).lines;
  const entities = listed.flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const all = Object.entries(JSON.parse(line) as Record<string, unknown>);
    const own = all.filter(([name]) => !/^(?:PartitionKey|RowKey|Timestamp)$|@/.test(name));
    return [Object.fromEntries(own)];
  });
  return { code, lines: lines.map((line) => line.replaceAll(file, 'FILE')), entities };
}

const CAFE = 'name;price\r\nCafé – Zürich;1,50\r\n';
const WINDOWS = Uint8Array.from(
  [...CAFE].map((one) => ({ '–': 0x96 })[one] ?? one.codePointAt(0)!),
);
const utf16 = (text: string, isLittle: boolean) =>
  Uint8Array.from(
    [...text].flatMap((one) => {
      const bytes = [one.charCodeAt(0) & 0xff, one.charCodeAt(0) >> 8];
      return isLittle ? bytes : bytes.reverse();
    }),
  );

describe('the encoding', () => {
  it.each([
    ['Windows-1252', WINDOWS],
    ['UTF-16, low byte first', utf16(`\uFEFF${CAFE}`, true)],
    ['UTF-16, high byte first', utf16(`\uFEFF${CAFE}`, false)],
    ['UTF-16 without a mark', utf16(CAFE, true)],
    ['UTF-8', CAFE],
    ['UTF-8 with a mark', `\uFEFF${CAFE}`],
  ])('%s is recognized', async (_, content) => {
    const { code, entities } = await imported(content);

    expect({ code, entities }).toEqual({
      code: 0,
      entities: [{ name: 'Café – Zürich', price: 1.5 }],
    });
  });

  it.each([
    ['a last character that is cut', [...new TextEncoder().encode('n\nMüller\n'), 0xc3]],
    ['a byte that is not UTF-8', [...new TextEncoder().encode('n\nMüller\n'), 0xfc, 0x0a]],
  ])('of UTF-8 with %s is refused', async (_, bytes) => {
    expect((await imported(Uint8Array.from(bytes))).code).toBe(1);
  });

  it('that none is refused', async () => {
    const zip = Uint8Array.from([0x50, 0x4b, 3, 4, 0x14, 0, 6, 0, 8, 0, 0xff, 0xe1]);

    expect(await imported(zip)).toEqual({
      code: 1,
      lines: ['FILE is no text in one of utf-8, utf-16le, utf-16be, windows-1252'],
      entities: [],
    });
    expect((await imported(zip, '--encoding', 'utf-8')).code).toBe(1);
  });
});

describe('numbers and days', () => {
  it('are guessed from all columns of a file', async () => {
    const text =
      'id;price;stock;sold;note\n1;1.234,50;1.200;02.02.2024;a\n2;-3,5;7;31.12.2023 18:05;b\n';
    const { code, lines, entities } = await imported(text);

    expect({ code, entities }).toEqual({
      code: 0,
      entities: [
        { id: 1, price: 1234.5, stock: 1200, sold: '2024-02-02T00:00:00.000Z', note: 'a' },
        { id: 2, price: -3.5, stock: 7, sold: '2023-12-31T18:05:00.000Z', note: 'b' },
      ],
    });
    expect(lines).toEqual([
      'FILE: utf-8, semicolons between values, numbers as 1.234,5, days as 31/12/2024',
      'Rows: 2 rows stored',
    ]);
    expect((await imported(text, '--dry-run')).lines[0]).toBe(lines[0]);
    const json = JSON.parse((await imported(text, '--json')).lines.at(-1)!) as object;
    expect(json).toMatchObject({
      ...{ stored: 2, decimal: ',', dates: 'dmy' },
      files: [{ path: 'FILE', encoding: 'utf-8', separator: ';', quote: '"' }],
    });
  });

  it.each([
    [
      'with the month first',
      'd,n\n12/31/2024,"1,234.50"\n2/3/2024 1:05 PM,"1,200"\n',
      [],
      [
        { d: '2024-12-31T00:00:00.000Z', n: 1234.5 },
        { d: '2024-02-03T13:05:00.000Z', n: 1200 },
      ],
    ],
    [
      'with the day first',
      'd\n31/12/2024\n02/03/2024\n',
      [],
      [{ d: '2024-12-31T00:00:00.000Z' }, { d: '2024-03-02T00:00:00.000Z' }],
    ],
    ['that may mean two days', 'd\n02/03/2024\n', [], [{ d: '02/03/2024' }]],
    [
      'that may mean two days, with an order',
      'd\n02/03/2024\n',
      ['--dates', 'mdy'],
      [{ d: '2024-02-03T00:00:00.000Z' }],
    ],
    ['with points alone', 'd\n31.12.2024\n', [], [{ d: '2024-12-31T00:00:00.000Z' }]],
    [
      'of two forms, which stay texts where they differ',
      'amount;weight\n3,5;1.5\n4,25;1.234\n',
      [],
      [
        { amount: '3,5', weight: 1.5 },
        { amount: '4,25', weight: 1.234 },
      ],
    ],
    [
      'beside a day that shows nothing of numbers',
      'd;kg\n31/12/2024;1,234\n',
      [],
      [{ d: '2024-12-31T00:00:00.000Z', kg: '1,234' }],
    ],
    [
      'that may be lists',
      'members\n"101,102"\n"103,104,105"\n',
      [],
      [{ members: '101,102' }, { members: '103,104,105' }],
    ],
    [
      'behind a separator that the commas of numbers are like',
      'name;price, EUR\nx;1,50\ny;2,75\n',
      [],
      [
        { name: 'x', price_EUR: 1.5 },
        { name: 'y', price_EUR: 2.75 },
      ],
    ],
    ['that may mean two numbers', 'n;m\n1,234;x\n', [], [{ n: '1,234', m: 'x' }]],
    ['that may mean two numbers, with a sign', 'n\n"1,234"\n', ['--decimal', '.'], [{ n: 1234 }]],
    [
      'as programs write them',
      'n;v\n1.234;2024-02-03\n',
      [],
      [{ n: 1.234, v: '2024-02-03T00:00:00.000Z' }],
    ],
  ] as [string, string, string[], unknown][])('%s', async (_, text, words, entities) => {
    expect(await imported(text, ...words)).toMatchObject({ code: 0, entities });
  });
});

it('of JSON are as JSON writes them, beside CSV in other forms', async () => {
  const json = newFile('more.jsonl', '{"n":1.234,"d":"02/03/2024"}\n{"n":1234.5}\n');
  const { code, entities } = await imported('n\n"1.234,5"\n', json, '--decimal', ',');

  expect(code).toBe(0);
  expect(entities).toEqual([{ n: 1.234, d: '02/03/2024' }, { n: 1234.5 }, { n: 1234.5 }]);
});

it('characters, missing values and a missing header can be said', async () => {
  const words = ['--separator', '~', '--quote', "'", '--no-header'];
  const text = "1~'a~b'~NULL\n2~NA~5\n";
  const { lines, entities } = await imported(text, ...words, '--missing=NULL', '--missing=NA');

  expect(lines).toEqual([
    "FILE: utf-8, ~ between values, ' around them, numbers as 1234.5",
    'Rows: 2 rows stored',
  ]);
  expect(entities).toEqual([
    { Column1: 1, Column2: 'a~b' },
    { Column1: 2, Column3: 5 },
  ]);
  expect((await imported('a\tb;c\n1\t2\n', '--separator', 'tab')).entities).toEqual([
    { a: 1, b_c: 2 },
  ]);
  expect((await imported('a,b\n"x,y"\n', '--quote', 'none')).entities).toEqual([
    { a: '"x', b: 'y"' },
  ]);
  expect((await imported('a\n1\n', '--separator', 'ab')).code).toBe(2);
});
