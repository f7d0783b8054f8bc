// `entitable tables` and `entitable query`, over a folder and over a server.

import { describe, expect, it } from 'vitest';

import { exampleNamed } from '../package/support/documents.js';
import { newFolder } from '../package/support/serve.js';
import { at, entitable, inFolder } from './support/move.js';
import { ownServer } from './support/own-server.js';

interface Writable {
  createTable(name: string): Promise<unknown>;
  tableClient(name: string): { createEntity(entity: never): Promise<unknown> };
}

const ROWS = [
  {
    partitionKey: 'cats',
    rowKey: 'Momo',
    text: 'says "miau", and\nthen sleeps',
    weight: { type: 'Double', value: 4 },
    seen: new Date('2026-01-02T03:04:05.678Z'),
    chip: 9007199254740993n,
    id: { type: 'Guid', value: '9d3a4d1e-0c1b-4f1e-9d5f-000000000001' },
    photo: new Uint8Array([0, 255]),
  },
  { partitionKey: 'dogs', rowKey: 'Rex', age: 7, isGood: true },
  { partitionKey: 'dogs', rowKey: 'Waldi', age: 12, note: '\u001b[2J' },
];

async function fill(account: Writable): Promise<void> {
  for (const name of ['Pets', 'Empty']) await account.createTable(name);
  for (const row of ROWS) await account.tableClient('Pets').createEntity(row as never);
}

/** Each place with the same tables. */
const PLACES: Record<string, () => Promise<string>> = {
  async folder() {
    const folder = newFolder();
    await inFolder(folder, (account) => fill(account as unknown as Writable));
    return folder;
  },
  async server() {
    const url = await ownServer();
    await fill(at(url) as unknown as Writable);
    return url;
  },
};

describe.each(Object.keys(PLACES))('over a %s', (kind) => {
  it('prints tables', async () => {
    const place = await PLACES[kind]!();
    expect(await entitable('tables', '--at', place)).toEqual({
      code: 0,
      lines: ['Empty', 'Pets'],
      errors: '',
    });
    const { lines } = await entitable('tables', '--at', place, '--json');
    expect(lines).toEqual(['"Empty"', '"Pets"']);
  });

  it('prints entities in all forms', async () => {
    const place = await PLACES[kind]!();
    const query = (...words: string[]) =>
      entitable('query', '--at', place, '--table', 'Pets', ...words);

    const json = await query('--format', 'json');
    expect(json.code, json.errors).toBe(0);
    expect(json.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        PartitionKey: 'cats',
        RowKey: 'Momo',
        'text@odata.type': 'Edm.String',
        text: 'says "miau", and\nthen sleeps',
        'weight@odata.type': 'Edm.Double',
        weight: 4,
        'seen@odata.type': 'Edm.DateTime',
        seen: '2026-01-02T03:04:05.678Z',
        'chip@odata.type': 'Edm.Int64',
        chip: '9007199254740993',
        'id@odata.type': 'Edm.Guid',
        id: '9d3a4d1e-0c1b-4f1e-9d5f-000000000001',
        'photo@odata.type': 'Edm.Binary',
        photo: 'AP8=',
      },
      {
        PartitionKey: 'dogs',
        RowKey: 'Rex',
        'age@odata.type': 'Edm.Int32',
        age: 7,
        'isGood@odata.type': 'Edm.Boolean',
        isGood: true,
      },
      {
        PartitionKey: 'dogs',
        RowKey: 'Waldi',
        'age@odata.type': 'Edm.Int32',
        age: 12,
        'note@odata.type': 'Edm.String',
        note: '\u001b[2J',
      },
    ]);

    const csv = await query('--format', 'csv', '--select', 'PartitionKey,RowKey,text,chip,age');
    expect(csv.code, csv.errors).toBe(0);
    expect(csv.lines.join('\n')).toBe(
      [
        'PartitionKey,RowKey,text,text@type,chip,chip@type,age,age@type\r',
        'cats,Momo,"says ""miau"", and\nthen sleeps",Edm.String,9007199254740993,Edm.Int64,,\r',
        'dogs,Rex,,,,,7,Edm.Int32\r',
        'dogs,Waldi,,,,,12,Edm.Int32\r',
      ].join('\n'),
    );

    const columns = await query('--filter', 'age ge 7', '--select', 'RowKey,age', '--top', '1');
    expect(columns).toEqual({
      code: 0,
      lines: ['RowKey  age', 'Rex     7'],
      errors: 'there are more entities than 1: --top N prints others\n',
    });
    // A terminal would carry it out.
    const hostile = await query('--filter', "RowKey ge 'W'", '--select', 'RowKey,note');
    expect(hostile.lines).toEqual(['RowKey  note', 'Waldi   \\u001b[2J']);
  });

  it('prints nothing for a table without entities, and fails without the table', async () => {
    const place = await PLACES[kind]!();
    for (const format of ['columns', 'json', 'csv']) {
      const words = ['query', '--at', place, '--table', 'Empty', '--format', format];
      expect(await entitable(...words)).toEqual({ code: 0, lines: [], errors: '' });
    }
    const missing = await entitable('query', '--at', place, '--table', 'Nothing');
    expect(missing).toMatchObject({ code: 1, lines: [] });
    expect(missing.errors).toMatch(/^error: The table specified does not exist\./);
    const wrong = await entitable(
      'query',
      '--at',
      place,
      '--table',
      'Pets',
      '--filter',
      'age gee 7',
    );
    expect(wrong).toMatchObject({ code: 1, lines: [] });
  });
});

describe('a query of a folder', () => {
  const SALES = [
    { partitionKey: '2024', rowKey: '1', kind: 'tea', price: 4.5, sold: 10n },
    { partitionKey: '2024', rowKey: '2', kind: 'tea', price: 5, sold: 7n },
    { partitionKey: '2025', rowKey: '1', kind: 'cup', price: 12, sold: 3n },
    { partitionKey: '2025', rowKey: '2', kind: 'a,b', price: 12 },
  ];

  async function sales() {
    const folder = newFolder();
    await inFolder(folder, async (account) => {
      await account.createTable('Sales');
      await account.tableClient('Sales').importEntities(SALES);
    });
    return (...words: string[]) => entitable('query', '--at', folder, '--table', 'Sales', ...words);
  }

  it('prints entities in an order', async () => {
    const query = await sales();
    const words = ['--order-by', 'price desc,RowKey desc', '--select', 'RowKey,kind,price'];

    expect((await query(...words)).lines).toEqual([
      'RowKey  kind  price',
      '2       a,b   12',
      '1       cup   12',
      '2       tea   5',
      '1       tea   4.5',
    ]);
    const page = await query(...words, '--skip', '1', '--top', '2', '--json');
    const kinds = page.lines.map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds).toEqual(['cup', 'tea']);
    expect(page.errors).toBe('there are more entities than 2: --top N prints others\n');
  });

  it('prints a line for each group', async () => {
    const query = await sales();
    const words = ['--group-by', 'kind', '--aggregate', 'count,total=sum:price,sum:sold'];

    expect(await query(...words)).toEqual({
      code: 0,
      lines: [
        'kind  count  total  sum_sold',
        'a,b   1      12',
        'cup   1      12     3',
        'tea   2      9.5    17',
      ],
      errors: '',
    });
    expect((await query(...words, '--format', 'csv', '--filter', 'price ge 5')).lines).toEqual([
      'kind,count,total,sum_sold\r',
      '"a,b",1,12,\r',
      'cup,1,12,3\r',
      'tea,1,5,7\r',
    ]);
    const json = await query(...words, '--format', 'json', '--top', '2');
    expect(json.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { kind: 'a,b', count: 1, total: 12 },
      { kind: 'cup', count: 1, total: 12, sum_sold: '3', 'sum_sold@odata.type': 'Edm.Int64' },
    ]);
    expect(json.errors).toBe('there are more groups than 2: --top N prints others\n');
  });

  it('prints groups of keys, distinct groups, and one line for all entities', async () => {
    const query = await sales();

    expect((await query('--group-by', 'PartitionKey desc')).lines).toEqual([
      'PartitionKey',
      '2025',
      '2024',
    ]);
    const all = 'min:price,max:RowKey,avg:price,count:sold';
    expect((await query('--aggregate', all)).lines).toEqual([
      'min_price  max_RowKey  avg_price  count_sold',
      '4.5        2           8.375      3',
    ]);
  });

  it('is refused where words do not go together', async () => {
    const query = await sales();
    for (const [line, message] of [
      ['--aggregate total', '--aggregate takes count or count:NAME, sum:NAME'],
      ['--aggregate sum', '--aggregate takes count or count:NAME, sum:NAME'],
      ['--aggregate count,count', '--aggregate names two results the same'],
      ['--group-by kind --order-by kind', '--order-by is for entities'],
      ['--group-by kind --select kind', '--select is for entities'],
      ['--skip -1', '--skip takes a number of 0 or more'],
      ['--json --format csv', 'give one of --format HOW and --json'],
    ] as const) {
      const { code, lines, errors } = await query(...line.split(' '));
      expect({ code, lines }, line).toEqual({ code: 2, lines: [] });
      expect(errors).toContain(`error: ${message}`);
    }
  });
});

it('says that the service has neither an order nor groups', async () => {
  const url = await PLACES['server']!();
  for (const words of [
    ['--order-by', 'age'],
    ['--skip', '1'],
    ['--aggregate', 'count'],
    ['--group-by', 'age'],
  ]) {
    const outcome = await entitable('query', '--at', url, '--table', 'Pets', ...words);
    expect(outcome).toMatchObject({ code: 1, lines: [] });
    expect(outcome.errors).toMatch(
      /^error: a storage account does not support --.*: copy .* by entitable pull\n$/,
    );
  }
});

it('does what the guide shows', async () => {
  const folder = await PLACES['folder']!();
  for (const [script, output, before] of [
    ['look.sh', 'look.txt', [['Empty', 'Pets']]],
    ['groups.sh', 'groups.txt', []],
  ] as const) {
    const commands = exampleNamed('docs/guides/command-line.md', script).trim().split('\n');
    const printed: string[][] = [];
    for (const command of commands) {
      const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain!,
      );
      const { code, lines, errors } = await entitable(
        ...words.slice(2).map((word) => (word === './tables' ? folder : word)),
      );
      expect(code, errors).toBe(0);
      printed.push(lines);
    }
    const shown = exampleNamed('docs/guides/command-line.md', output).trim().split('\n');
    expect(printed).toEqual([...before, shown]);
  }
});

it('refuses a wrong command line, and a folder without an account', async () => {
  const folder = newFolder();
  for (const words of [
    ['query', '--at', folder],
    ['query', '--at', folder, '--table', 'Pets', '--format', 'xml'],
    ['query', '--at', folder, '--table', 'Pets', '--top', '0'],
    ['tables', '--at', 'https://'],
    ['tables'],
  ]) {
    expect((await entitable(...words)).code, words.join(' ')).toBe(2);
  }
  for (const address of ['http://h/a?sig=SECRET', 'postgres://u:SECRET@h/d']) {
    const command = address.startsWith('http') ? 'verify' : 'tables';
    const { code, errors } = await entitable(command, '--at', address);
    expect({ code, shown: errors.includes('SECRET') }).toEqual({ code: 2, shown: false });
    expect(errors).toContain('an address is given in the place of a folder');
  }
  const none = await entitable('tables', '--at', folder);
  expect(none).toMatchObject({ code: 1, errors: `error: there is no account in ${folder}\n` });
});
