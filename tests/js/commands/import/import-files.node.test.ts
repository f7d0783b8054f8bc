// What `entitable import` makes of files that others have written, and what it says about it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { entitable, newFile, newFolder } from '../../support/commands.js';

/** Imports a file. Its errors come behind its lines. The entities are JSON without types. */
async function imported(file: string, ...words: string[]) {
  const at = ['--at', join(newFolder(), 'account'), '--table', 'Rows'];
  const { code, lines, errors } = await entitable('import', ...at, file, ...words);
  const said = [...lines, ...errors.split('\n').slice(0, -1)];
  const listed = code === 2 ? [] : (await entitable('query', ...at, '--json')).lines;
  const entities = listed.flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const { Timestamp: _, ...entity } = JSON.parse(line) as Record<string, unknown>;
    const own = Object.entries(entity).filter(([name]) => !name.endsWith('@odata.type'));
    return [Object.fromEntries(own)];
  });
  return { code, lines: said.map((line) => line.replaceAll(file, 'FILE')), entities };
}

describe('names of columns', () => {
  it('are those of the service, exactly, and others are properties', async () => {
    const text =
      'PartitionKey,RowKey,partitionKey,rowKey,Timestamp,timestamp,odata.etag\n' +
      'p,1,same,a,2024-05-01T00:00:00Z,5,W/x\np,2,same,a,2024-05-01T00:00:00Z,6,W/x\n';

    expect(await imported(newFile('own.csv', text))).toEqual({
      code: 0,
      lines: [
        'FILE: utf-8, commas between values, numbers as 1234.5',
        'left out, because the service sets it: Timestamp, odata.etag',
        'Rows: 2 rows stored',
      ],
      entities: [
        { PartitionKey: 'p', RowKey: '1', partitionKey: 'same', rowKey: 'a', timestamp: 5 },
        { PartitionKey: 'p', RowKey: '2', partitionKey: 'same', rowKey: 'a', timestamp: 6 },
      ],
    });
  });

  it('keep the only time of a file, with the type that was chosen', async () => {
    const file = newFile('series.csv', 'timestamp,ETag,value\n2024-05-01,x,1\n');
    const words = ['--row-key', 'ETag', '--type', 'timestamp=String'];
    const { entities } = await imported(file, ...words);
    const dry = await imported(file, '--dry-run');

    expect(entities).toMatchObject([{ timestamp: '2024-05-01', ETag: 'x', value: 1 }]);
    expect(dry.lines).toEqual(
      expect.arrayContaining([expect.stringMatching(/^timestamp +timestamp +DateTime +1$/)]),
    );
  });

  it('say what an export and a chosen key leave out', async () => {
    const file = newFile('own.json', '[{"partitionKey":"p","rowKey":"1","etag":"x","kind":"k"}]');

    expect(
      (await imported(file, '--json')).lines.map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([{ table: 'Rows', stored: 1, added: 1, refused: 0, leftOut: ['etag'] }]);
    expect((await imported(file, '--partition-key', 'kind')).entities).toEqual([
      { PartitionKey: 'k', RowKey: '1', kind: 'k', partitionKey: 'p' },
    ]);
    expect(await imported(file, '--type', 'rowKey=Int32')).toMatchObject({
      code: 1,
      lines: ['error: rowKey has a key, which is a String: it takes no --type'],
    });
  });
});

describe('answers of services', () => {
  it('are read as the rows in them', async () => {
    const metadata = 'http://127.0.0.1:10002/devstoreaccount1/$metadata#Rows';
    const value = [
      { PartitionKey: 'p', RowKey: '1', n: 1 },
      { PartitionKey: 'p', RowKey: '2', n: 2 },
    ];
    const feeds = [
      { 'odata.metadata': metadata, value },
      { items: value, nextMarker: null },
    ];
    for (const feed of feeds) {
      const { code, entities } = await imported(newFile('f.json', JSON.stringify(feed, null, 2)));
      expect({ code, entities }).toEqual({ code: 0, entities: value });
    }
  });

  it('are not rows that have an array of objects', async () => {
    const file = newFile('orders.json', '{"count":2,"items":[{"sku":"a"},{"sku":"b"}]}\n');
    const { code, lines } = await imported(file);

    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^FILE:1: InvalidInput: .* The value of "items" is nested: /),
      'FILE: utf-8',
      'Rows: 0 rows stored, 1 refused',
    ]);
  });

  it('have no nested values, unless these are to be texts', async () => {
    const text =
      '{"PartitionKey":"p","RowKey":"1","tags":["a",{"b":1}]}\n' +
      '{"PartitionKey":"p","RowKey":"2","tags":"x"}\n{"PartitionKey":{"a":1},"RowKey":"3"}\n';
    const file = newFile('nested.jsonl', text);
    const { code, lines, entities } = await imported(file);

    expect({ code, entities }).toEqual({
      code: 1,
      entities: [{ PartitionKey: 'p', RowKey: '2', tags: 'x' }],
    });
    expect(lines).toEqual([
      'FILE:1: InvalidInput: One of the request inputs is not valid. The value of "tags" is nested: ["a",{"b":1}]. The type String would ' +
        'store it as this text.',
      'FILE:3: InvalidInput: One of the request inputs is not valid. The value of "PartitionKey" is nested: {"a":1}. A key has a text.',
      'FILE: utf-8',
      'Rows: 1 row stored, 2 refused',
    ]);
    expect((await imported(file, '--type', 'tags=String')).entities).toEqual([
      { PartitionKey: 'p', RowKey: '1', tags: '["a",{"b":1}]' },
      { PartitionKey: 'p', RowKey: '2', tags: 'x' },
    ]);
  });
});

describe('JSON', () => {
  it('keeps all digits of a number that no Double is, and of one among texts', async () => {
    const text =
      '[{"a":1e400,"b":-1e400,"c":0.12345678901234567890,"d":1.50,"e":1.50,"f":12E4},\n' +
      '{"c":"x","d":"x","e":2,"f":-0.25}]';
    const { code, entities } = await imported(newFile('rows.json', text));

    expect({ code, entities }).toMatchObject({
      code: 0,
      entities: [
        { a: '1e400', b: '-1e400', c: '0.12345678901234567890', d: '1.50', e: 1.5, f: 120_000 },
        { c: 'x', d: 'x', e: 2, f: -0.25 },
      ],
    });
  });

  it('has no row with a name twice', async () => {
    const text = '{"a":1,"\\u0061":2}\n{"a":[{"b":1,"b":2}]}\n{"a":3}\n';
    const file = newFile('twice.jsonl', text);
    const { code, lines, entities } = await imported(file, '--type', 'a=String');

    expect({ code, entities }).toMatchObject({
      code: 1,
      entities: [{ a: '[{"b":1,"b":2}]' }, { a: '3' }],
    });
    expect(lines[0]).toMatch(/^FILE:1: DuplicatePropertiesSpecified: .*"a"/);
  });
});

describe('CSV', () => {
  const rows = [
    { PartitionKey: 'p', RowKey: '1', n: 1, note: 'a, b' },
    { PartitionKey: 'p', RowKey: '2', n: 2, note: 'c' },
  ];

  it.each([
    [
      'that names its separator',
      'sep=;\r\nPartitionKey;RowKey;n;note\r\np;1;1;a, b\r\np;2;2;c\r\n',
    ],
    ['whose lines end with CR', 'PartitionKey,RowKey,n,note\rp,1,1,"a, b"\rp,2,2,c\r'],
    ['with tabs', 'PartitionKey\tRowKey\tn\tnote\np\t1\t1\ta, b\np\t2\t2\tc'],
  ])('%s has all its rows', async (_, text) => {
    const { code, entities } = await imported(newFile('rows.csv', text));

    expect({ code, entities }).toEqual({ code: 0, entities: rows });
  });

  it('whose header has another separator than its rows is refused', async () => {
    const { code, lines } = await imported(newFile('mixed.csv', 'a,b,c\n1\t2\t3\n4\t5\t6\n'));

    expect({ code, lines }).toEqual({
      code: 1,
      lines: [
        'error: FILE: One of the request inputs is not valid. The header of the CSV has commas between ' +
          'its names, and the rows have tabs between their values. Say which one it is: ' +
          '--separator of the command, Between values in the explorer.',
      ],
    });
  });
});

it('says which of several files cannot be read, and in which line', async () => {
  const good = newFile('good.csv', 'a,b\n1,2\n');
  const bad = newFile('bad.csv', 'a,b\n1,2\n\n3,"4\n');
  const { code, lines } = await imported(good, bad);

  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining(`${bad}: `)]);
  expect(lines[0]).toContain('Record 3 of the CSV has a quote without an end (line 4).');
});

it('names the lines of rows with the same fault together, with the values of the first', async () => {
  const bad = Array.from({ length: 50 }, (_, i) => `p/${i},${i},1`).join('\n');
  const text = `PartitionKey,RowKey,n\n${bad}\np,1,2,3\np,2,2,3,4\np,3,3\np,3,3\n`;
  const dry = await imported(newFile('bad.csv', text), '--dry-run');

  expect(dry.lines.slice(0, 3)).toEqual([
    expect.stringMatching(/^FILE:52, 53: InvalidInput: .* has 4 values/),
    expect.stringMatching(/^FILE:2, 3, 4, 5, 6 and 45 more: .*"p\/0"/),
    'FILE:55: has the keys of an earlier row, and would be stored over it',
  ]);
});

describe('an export', () => {
  it('is refused for a name whose ending it does not know', async () => {
    const at = join(newFolder(), 'account');
    await entitable('import', '--at', at, '--table', 'Rows', newFile('r.csv', 'a\n1\n'));
    const to = join(newFolder(), 'x.xlsx');
    const table = ['export', '--at', at, '--table', 'Rows', '--to', to] as const;

    expect(await entitable(...table)).toEqual({
      code: 2,
      lines: [],
      errors:
        'error: --to takes a name that ends in .csv, .json, .jsonl; for another one, --format says ' +
        'the form\nSee entitable export --help\n',
    });
    expect((await entitable('export', '--at', at, '--to', to)).code).toBe(2);
    expect(existsSync(to)).toBe(false);
    expect((await entitable(...table, '--format', 'csv')).code).toBe(0);
    expect(readFileSync(to, 'utf8')).toContain('PartitionKey,RowKey');
  });
});
