// Files as spreadsheets and other programs of several countries write them.

import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { entitable, newFile, newFolder } from '../../support/commands.js';

/** Imports a file, and returns the exit code, what was printed, and the properties as JSON. */
async function imported(content: string | Uint8Array, ...words: string[]) {
  const file = newFile('rows.csv', content);
  const at = ['--at', join(newFolder(), 'account'), '--table', 'Rows'];
  const { code, lines, errors } = await entitable('import', ...at, file, ...words);
  const said = [...lines, ...errors.split('\n').slice(0, -1)];
  const listed = words.includes('--dry-run')
    ? []
    : (await entitable('query', ...at, '--json')).lines;
  const entities = listed.flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const all = Object.entries(JSON.parse(line) as Record<string, unknown>);
    const own = all.filter(([name]) => !/^(?:PartitionKey|RowKey|Timestamp)$|@/.test(name));
    return [Object.fromEntries(own)];
  });
  return { code, lines: said.map((line) => line.replaceAll(file, 'FILE')), entities };
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
      lines: ['error: FILE is no text in one of utf-8, utf-16le, utf-16be, windows-1252'],
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
      stored: 2,
      files: [
        {
          ...{ path: 'FILE', encoding: 'utf-8', separator: ';', quote: '"' },
          ...{ decimal: ',', dates: 'dmy' },
        },
      ],
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

describe('numbers of several files', () => {
  const euro = 'Preis;Menge\n1.234,50;1.000\n7,00;2.500\n';

  it('are read as each file writes them', async () => {
    const other = newFile('series.csv', 'Preis,at\n1.5,31/12/2024\n2.25,30/12/2024\n');
    const { lines, entities } = await imported(euro, other);

    expect(entities).toEqual([
      { Preis: 1234.5, Menge: 1000 },
      { Preis: 7, Menge: 2500 },
      { Preis: 1.5, at: '2024-12-31T00:00:00.000Z' },
      { Preis: 2.25, at: '2024-12-30T00:00:00.000Z' },
    ]);
    expect(lines.slice(0, 2)).toEqual([
      'FILE: utf-8, semicolons between values, numbers as 1.234,5',
      `${other}: utf-8, commas between values, numbers as 1234.5, days as 31/12/2024`,
    ]);
  });

  it('stay texts in a file that does not show its sign, beside one with a comma', async () => {
    const other = newFile('a.csv', 'n;m\n1.000;0.125\n');

    expect((await imported(euro, other)).entities[0]).toEqual({ n: '1.000', m: 0.125 });
    expect((await imported(euro, other, '--decimal', ',')).entities[0]).toEqual({
      ...{ n: 1000, m: '0.125' },
    });
  });
});

it('numbers of two signs in a file leave those that may be either as texts', async () => {
  const text = 'Preis;Version;Menge\n1.234,50;1.5;1.000\n7,00;2.5;2.500\n';

  expect((await imported(text)).entities).toEqual([
    { Preis: '1.234,50', Version: 1.5, Menge: '1.000' },
    { Preis: '7,00', Version: 2.5, Menge: '2.500' },
  ]);
});

it('a dry run shows what becomes of a text that may be several values', async () => {
  const text = 'n;m;d;t\n1.000;1,5;02.03.2024;1.5\n';
  const { lines } = await imported(text, '--dry-run');

  expect(lines.slice(1, -1).map((line) => line.split(/ {2,}/))).toEqual([
    ['column', 'property', 'type', 'values', 'example'],
    ['n', 'n', 'String', '1', '1.000'],
    ['m', 'm', 'String', '1', '1,5'],
    ['d', 'd', 'DateTime', '1', '02.03.2024 → 2024-03-02T00:00:00Z'],
    ['t', 't', 'Double', '1'],
  ]);
  const chosen = (await imported(text, '--dry-run', '--decimal', ',')).lines;
  expect(chosen).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/ 1\.000 → 1000$/),
      expect.stringMatching(/ 1,5 → 1\.5$/),
    ]),
  );
  expect((await imported('n\n1.000\n', '--dry-run')).lines[2]).toMatch(/ 1\.000 → 1$/);
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
