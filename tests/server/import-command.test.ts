// `entitable import`, over a folder and over a server.

import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { entitable, newFile, newFolder } from '../js/support/commands.js';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import {
  archiveOf,
  at,
  dumpOf,
  dumpOfFolder,
  fullFolder,
  outcomeOf,
  start,
} from './support/move.js';
import { ownAccount } from './support/remotes.js';

const fileOf = (name: string, ...lines: string[]) => newFile(name, lines.join('\n'));

/** How a file of this form was read. */
const readLine = (file: string) => `${file}: utf-8, commas between values, numbers as 1234.5`;

const SALES = [
  'id,kind,Unit price,born,zip,done',
  '1,tea,4.5,2024-05-01,01234,true',
  '2,"cup, blue",12,2024-05-02T10:00:00+02:00,,FALSE',
];
const KEYS = ['--partition-key', 'kind', '--row-key', 'id'];

/** Each place, empty, with what reads it. */
const PLACES = {
  async folder() {
    const folder = join(newFolder(), 'new');
    return { place: folder, dump: () => dumpOfFolder(folder) };
  },
  async server() {
    const url = await ownAccount();
    return { place: url, dump: () => dumpOf(at(url)) };
  },
};

const typed = (type: string, value: unknown) => ({ type, value });

describe.each(['folder', 'server'] as const)('an import into a %s', (kind) => {
  const importing = (place: string, ...words: string[]) =>
    entitable('import', '--at', place, '--table', 'Sales', ...words);

  it('stores CSV with inferred types, keys from columns, and names that the service takes', async () => {
    const { place, dump } = await PLACES[kind]();
    const file = fileOf('sales.csv', ...SALES);
    const outcome = await importing(place, file, ...KEYS);

    expect(outcome).toEqual({
      code: 0,
      lines: [readLine(file), 'Sales: 2 rows stored'],
      errors: '',
    });
    expect(await dump()).toEqual({
      Sales: [
        {
          partitionKey: 'cup, blue',
          rowKey: '2',
          id: typed('Int32', 2),
          kind: typed('String', 'cup, blue'),
          Unit_price: typed('Double', 12),
          born: typed('DateTime', new Date('2024-05-02T08:00:00Z')),
          done: typed('Boolean', false),
        },
        {
          partitionKey: 'tea',
          rowKey: '1',
          id: typed('Int32', 1),
          kind: typed('String', 'tea'),
          Unit_price: typed('Double', 4.5),
          born: typed('DateTime', new Date('2024-05-01T00:00:00Z')),
          zip: typed('String', '01234'),
          done: typed('Boolean', true),
        },
      ],
    });
  });

  it('stores the same entities again, under keys of the file and the line', async () => {
    const { place, dump } = await PLACES[kind]();
    const files = [
      fileOf('one.csv', 'a', '1', '', '"x"'),
      fileOf('two.jsonl', '{"a":2}', '{"a":3}'),
    ];
    await importing(place, ...files);
    const first = await dump();
    const { code, lines } = await importing(place, ...files);

    const keys = (first['Sales'] as { partitionKey: string; rowKey: string }[]).map(
      ({ partitionKey, rowKey }) => [partitionKey, rowKey],
    );
    expect(keys).toEqual([
      ['one', 'one-0000000002'],
      ['one', 'one-0000000004'],
      ['two', 'two-0000000001'],
      ['two', 'two-0000000002'],
    ]);
    expect(await dump()).toEqual(first);
    const old = kind === 'folder' ? ', 4 of them over an entity with the same keys' : '';
    expect({ code, lines: lines.slice(files.length) }).toEqual({
      code: 0,
      lines: [`Sales: 4 rows stored${old}`],
    });
  });

  it('names the rows that are refused with the code of the service, and stores the others', async () => {
    const { place, dump } = await PLACES[kind]();
    const file = fileOf(
      'bad.csv',
      'PartitionKey,RowKey,n,n@type',
      'p,1,1,Edm.Int32',
      'p,a/b,2,Edm.Int32',
      'p,3,3,Edm.Int32,more',
      'p,4,x,Edm.Int32',
      `p,5,${'x'.repeat(33_000)},Edm.String`,
      'p,6,6,Edm.Int64',
    );
    const { code, lines } = await importing(place, file);
    const parts = lines.map((line) => /^.*?bad\.csv:(\d+): (\w+): ./.exec(line)?.slice(1) ?? line);

    expect(code).toBe(1);
    expect(parts.slice(0, -2).sort()).toEqual([
      // An upsert has the keys in its address.
      ['3', kind === 'folder' ? 'OutOfRangeInput' : 'InvalidInput'],
      ['4', 'InvalidInput'],
      ['5', 'InvalidInput'],
      ['6', 'PropertyValueTooLarge'],
    ]);
    expect(parts.at(-1)).toBe('Sales: 2 rows stored, 4 refused');
    const stored = ((await dump())['Sales'] as { n: unknown }[]).map(({ n }) => n);
    expect(stored).toEqual([typed('Int32', 1), typed('Int64', 6n)]);
  });
});

it('says in a dry run what the import says, with rows that share a fault in one line', async () => {
  const { place } = await PLACES.folder();
  const long = 'x'.repeat(33_000);
  const file = fileOf(
    'bad.csv',
    'PartitionKey,RowKey,n',
    'p,1,',
    'p,a/b,2',
    'p,c/d,',
    `p,5,${long}`,
  );
  const words = ['import', '--at', place, '--table', 'Sales', file];
  const refused = async (...more: string[]) =>
    (await entitable(...words, ...more)).lines.filter((line) => /bad\.csv:\d/.test(line));
  const dry = await refused('--dry-run');

  expect(dry).toEqual([
    expect.stringMatching(
      /bad\.csv:3, 4: OutOfRangeInput: .* "a\/b", which has "\/" at position 1/,
    ),
    expect.stringContaining('bad.csv:5: PropertyValueTooLarge: '),
  ]);
  expect(await refused()).toEqual(dry);
});

it('gives types that are wanted, and merges', async () => {
  const { place, dump } = await PLACES.folder();
  const words = ['import', '--at', place, '--table', 'Sales', '--row-key', 'id'];
  await entitable(...words, fileOf('s.csv', 'id,a,b', '1,5,6'), '--type', 'a=Int64');
  const merged = fileOf('s.csv', 'id,b', '1,7');
  const { lines } = await entitable(...words, merged, '--mode=merge', '--json');

  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { table: 'Sales', stored: 1, added: 0, refused: 0, leftOut: [] },
  ]);
  expect((await dump())['Sales']).toMatchObject([{ a: typed('Int64', 5n), b: typed('Int32', 7) }]);
});

it('shows what it would do, and does nothing', async () => {
  const { place } = await PLACES.folder();
  const file = fileOf('s.csv', 'id,Unit price,b', '1,4.5,', '1,5,x', 'a/b,6,y');
  const words = ['import', '--at', place, '--table', 'Sales', '--row-key', 'id', '--dry-run', file];
  const { code, lines, errors } = await entitable(...words);

  expect({ code, errors }).toEqual({ code: 1, errors: '' });
  expect(lines.map((line) => line.replace(file, 's.csv'))).toEqual([
    's.csv:3: has the keys of an earlier row, and would be stored over it',
    expect.stringMatching(/^s\.csv:4: \w+: ./),
    readLine('s.csv'),
    'column      property    type    values',
    'id          id          String  3',
    'Unit price  Unit_price  Double  3',
    'b           b           String  2',
    '3 rows read, 1 row would be refused, 1 with the keys of an earlier row',
  ]);
  expect(await entitable('tables', '--at', place)).toMatchObject({ code: 1, lines: [] });
});

it('checks the name of the table first, and leaves no new folder when it fails', async () => {
  const { place } = await PLACES.folder();
  const file = fileOf('s.csv', 'id', '1');
  for (const words of [['--dry-run'], []]) {
    const { code, lines, errors } = await entitable(
      ...['import', '--at', place, '--table', '1st', file, ...words],
    );
    expect({ code, lines }).toEqual({ code: 1, lines: [] });
    expect(errors).toBe('error: The table name "1st" is not allowed: "1" at position 0.\n');
  }
  const damaged = fileOf('a.jsonl', '{"entitable":"archive","version":1}', '{"TableName":"1st"}');
  expect((await entitable('import', '--at', place, damaged)).code).toBe(1);
  expect(existsSync(place)).toBe(false);

  // A folder that was there stays.
  const folder = newFolder();
  expect((await entitable('import', '--at', folder, damaged)).code).toBe(1);
  expect(existsSync(folder)).toBe(true);
});

it('reads standard input, and archives', async () => {
  const { place, dump } = await PLACES.folder();
  const child = start(['import', '--at', place, '--table', 'Piped', '-']);
  child.stdin.end(
    '[{"PartitionKey":"p","RowKey":"1","when@odata.type":"Edm.DateTime","when":"2024-01-01T00:00:00Z"}]',
  );
  expect(await outcomeOf(child)).toEqual({
    code: 0,
    lines: ['-: utf-8', 'Piped: 1 row stored'],
    errors: '',
  });
  expect((await dump())['Piped']).toMatchObject([
    { when: typed('DateTime', new Date('2024-01-01T00:00:00Z')) },
  ]);

  const full = await fullFolder();
  const archive = await archiveOf(full);
  const restored = await entitable('import', '--at', place, archive);
  expect(restored, restored.errors).toMatchObject({ code: 0 });
  const { Piped: _, ...rest } = await dump();
  expect(rest).toEqual(await dumpOfFolder(full));
});

it('refuses wrong words, files and folders', async () => {
  const { place } = await PLACES.folder();
  const other = newFolder();
  writeFileSync(join(other, 'note.txt'), 'mine');
  const file = fileOf('s.csv', 'id', '1');
  for (const [code, message, ...words] of [
    [2, 'import takes --at PLACE --table NAME FILE...', '--at', place, '--table', 'Sales'],
    [2, 'import takes --at PLACE --table NAME FILE...', '--at', place, file],
    [2, '--type takes COLUMN=TYPE', '--at', place, '--table', 'Sales', file, '--type', 'id=Money'],
    [
      1,
      'there is no column key; there are id',
      '--at',
      place,
      '--table',
      'Sales',
      file,
      '--row-key',
      'key',
    ],
    [1, `there is no account in ${other}`, '--at', other, '--table', 'Sales', file],
    [1, 'ENOENT', '--at', place, '--table', 'Sales', 'none.csv'],
  ] as const) {
    const outcome = await entitable('import', ...words);
    expect(outcome.errors).toContain(message);
    expect(outcome.code, message).toBe(code);
  }
});

it('does in two commands what the guide shows', async () => {
  const folder = join(newFolder(), 'shop');
  const csv = fileOf('sales.csv', 'id,kind,price', '1,tea,4.5', '2,tea,5', '3,cup,12');
  const commands = exampleNamed('docs/guides/command-line.md', 'import.sh').trim().split('\n');
  const printed: string[] = [];
  for (const command of commands) {
    const words = command.split(' ').slice(2);
    const own: Record<string, string> = { './shop': folder, 'sales.csv': csv };
    const { code, lines, errors } = await entitable(...words.map((word) => own[word] ?? word));
    expect(code, errors).toBe(0);
    printed.push(...lines.map((line) => line.replace(csv, 'sales.csv')));
  }
  const shown = exampleNamed('docs/guides/command-line.md', 'import.txt').trim().split('\n');
  expect(printed).toEqual(shown);
});

it('stores every row but the refused ones, however many these are', async () => {
  const { place, dump } = await PLACES.folder();
  const lines = Array.from({ length: 2000 }, (_, i) => (i % 3 === 1 ? `a/${i},${i}` : `${i},${i}`));
  const file = fileOf('many.csv', 'RowKey,i', ...lines);
  const outcome = await entitable('import', '--at', place, '--table', 'Many', file);

  expect(outcome.code).toBe(1);
  expect(outcome.lines.map((line) => line.replace(file, 'many.csv'))).toEqual([
    expect.stringMatching(/^many\.csv:3, 6, 9, 12, 15 and 662 more: OutOfRangeInput: ./),
    readLine('many.csv'),
    'Many: 1,333 rows stored, 667 refused',
  ]);
  expect((await dump())['Many']).toHaveLength(1333);
});

it('takes long rows in little memory, and copies them', async () => {
  const { place } = await PLACES.folder();
  const path = fileOf('long.csv', 'RowKey,a,b\n');
  const cell = 'x'.repeat(30_000);
  for (let first = 0; first < 1300; first += 100) {
    const lines = Array.from({ length: 100 }, (_, i) => `${first + i},${cell},${cell}\n`);
    appendFileSync(path, lines.join(''));
  }
  const other = join(newFolder(), 'other');
  const little = ['--max-old-space-size=64'];
  const run = (...words: string[]) => outcomeOf(start(words, {}, little));

  const imported = await run('import', '--at', place, '--table', 'Long', path);
  expect(imported).toEqual({
    code: 0,
    lines: [readLine(path), 'Long: 1,300 rows stored'],
    errors: '',
  });
  const copied = await run('copy', '--from', place, '--to', other);
  expect(copied).toEqual({ code: 0, lines: ['Long: 1,300 entities copied'], errors: '' });
});
