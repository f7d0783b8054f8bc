// `entitable tables` and `entitable query`, over a folder and over a server.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { entitable, entitableIn } from '../js/support/commands.js';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { newFolder } from '../package/support/serve.js';
import { at, inFolder, outcomeOf, start } from './support/move.js';
import { ownAccount } from './support/remotes.js';

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
    const url = await ownAccount();
    await fill(at(url) as unknown as Writable);
    return url;
  },
};

describe.each(Object.keys(PLACES))('over a %s', (kind) => {
  it('prints tables', async () => {
    const place = await PLACES[kind]!();
    expect(await outcomeOf(start(['tables', '--at', place]))).toEqual({
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
      errors: 'there are more entities than these 1: give a greater --top\n',
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
    const near = await entitable('query', '--at', place, '--table', 'Pet');
    expect(near.errors).toMatch(/ Did you mean "Pets"\?\n$/);
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

it('names a property that no entity of a storage account has', async () => {
  const url = await PLACES['server']!();
  const query = (...words: string[]) =>
    entitable('query', '--at', url, '--table', 'Pets', '--select', 'aeg', ...words);

  expect((await query()).errors).toBe('Note: no entity has the property "aeg".\n');
  expect((await query('--top', '1')).errors).toBe(
    'there are more entities than these 1: give a greater --top\n' +
      'Note: none of these entities has the property "aeg".\n',
  );
  expect((await query('--filter', 'age gt 100')).errors).toBe('');
});

it('says which word a filter needs, and where a credential comes from', async () => {
  for (const kind of ['folder', 'server']) {
    const place = await PLACES[kind]!();
    const words = ['--at', place, '--table', 'Pets', '--filter'];
    const { code, errors } = await entitable('query', ...words, 'age=7');
    expect(code).toBe(1);
    expect(errors).toMatch(/^error: .*[^.]\. In a filter, write eq instead of =\.\n$/);
    const exported = await entitable('export', '--to', '-', ...words, 'age > 7');
    expect(exported.errors).toContain('In a filter, write gt instead of >.');
    if (kind === 'folder') {
      const explained = await entitable('explain', ...words, 'age >= 7');
      expect(explained.errors).toContain('In a filter, write ge instead of >=.');
    }
  }
  const url = await PLACES['server']!();
  const { code, errors } = await entitableIn({ environment: {} }, 'tables', '--at', url);
  expect(code).toBe(1);
  expect(errors).toContain(
    'The command has no credential: set AZURE_STORAGE_CONNECTION_STRING, AZURE_STORAGE_KEY or ' +
      'AZURE_STORAGE_SAS_TOKEN, or give the address with a shared access signature.\n',
  );
});

it('does what the guide shows', async () => {
  const folder = await PLACES['folder']!();
  const guide = 'docs/guides/command-line.md';
  const misspelt = await entitable('query', '--at', folder, '--table', 'Pets', '--select', 'aeg');
  expect(misspelt.errors).toBe(exampleNamed(guide, 'note.txt'));
  for (const [script, output, before] of [
    ['look.sh', 'look.txt', [['Empty', 'Pets']]],
    ['groups.sh', 'groups.txt', []],
    ['top.sh', 'top.txt', []],
  ] as const) {
    const whole = exampleNamed(guide, script)
      .trim()
      .replaceAll(/ \\\n */g, ' ');
    const commands = whole.split('\n');
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
    const shown = exampleNamed(guide, output).trim().split('\n');
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
  const file = join(folder, 'pets.csv');
  await writeFile(file, 'name\nRex\n');
  for (const [place, message] of [
    [folder, `there is no account in ${folder}: name a folder that`],
    [file, `${file} is a file, and no folder: entitable import reads files`],
    [
      join(folder, 'none'),
      `there is no folder ${join(folder, 'none')}: entitable import, pull and`,
    ],
    ['contoso.table.core.windows.net', 'an address begins with https:// or http://'],
  ] as const) {
    const { code, errors } = await entitable('tables', '--at', place);
    expect(code).toBe(1);
    expect(errors).toContain(message);
  }
  for (const [line, wanted] of [
    ['tables', '--at, with a folder or the address of a storage account'],
    [`copy --to ${folder}`, '--from, with a folder or the address of a storage account'],
    [`push --from ${folder}`, '--to, with the address of a storage account'],
  ] as const) {
    const words = line.split(' ');
    expect((await entitable(...words)).errors).toBe(
      `error: give ${wanted}, or set AZURE_STORAGE_CONNECTION_STRING\n` +
        `See entitable ${words[0]} --help\n`,
    );
  }
  expect((await entitable('tabels')).errors).toMatch(
    /; did you mean tables\?\nSee entitable --help\n$/,
  );
  const help = await entitable('--help');
  expect(await entitable('help')).toEqual(help);
  expect(help.lines.join('\n')).toMatch(/^ {2}help {2,}prints the options of a command$/m);
  expect(await entitable('help', 'query')).toEqual(await entitable('query', '--help'));
  const unknown = await entitable('help', 'quary');
  expect(unknown).toMatchObject({ code: 2, lines: [] });
  expect(unknown.errors).toMatch(
    /^error: help takes one of serve, .*; did you mean query\?\nSee entitable help --help\n$/,
  );
  expect(await outcomeOf(start([]))).toEqual({
    code: 2,
    lines: [],
    errors: `${help.lines.join('\n')}\n`,
  });
});
