// `entitable query --search`: words in a property, over a folder.

import { expect, it } from 'vitest';

import { entitable } from '../js/support/commands.js';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { newFolder } from '../package/support/serve.js';
import { inFolder } from './support/move.js';
import { ownAccount } from './support/remotes.js';

const GUID = 'a455c695-df98-5678-aaaa-81d3367e5a34';
const TEXTS = ['Buy milk and bread', 'Bake bread. Bread needs yeast.', 'Crème brûlée: for Ada'];

async function notesFolder(): Promise<string> {
  const folder = newFolder();
  await inFolder(folder, async (account) => {
    await account.createTable('Notes');
    await account.tableClient('Notes').importEntities(
      TEXTS.map((text, at) => ({
        ...{ partitionKey: 'me', rowKey: `${at + 1}`, text },
        ...{ stars: { type: 'Double', value: at + 3 }, id: { type: 'Guid', value: GUID } },
        ...{ chip: 2n ** 53n + 1n, seen: new Date('2026-01-02T03:04:05.678Z') },
      })),
    );
  });
  return folder;
}

async function notes() {
  const folder = await notesFolder();
  return (...words: string[]) => entitable('query', '--at', folder, '--table', 'Notes', ...words);
}

it('prints the best entities first', async () => {
  const query = await notes();
  const keysOf = async (...words: string[]) => {
    const { code, lines, errors } = await query('--search', ...words, '--select', 'RowKey');
    expect(code, errors).toBe(0);
    return lines.slice(1).join();
  };

  expect(await keysOf('text:bread')).toBe('2,1');
  expect(await keysOf('text:MILK brea*')).toBe('1');
  expect(await keysOf('text:milk ada', '--match', 'any')).toBe('1,3');
  expect(await keysOf('text:milk ada', '--match', 'all')).toBe('');
  // Only the first colon separates.
  expect(await keysOf('text:brulee: ada')).toBe('3');
  expect(await keysOf('text:bread', '--filter', "RowKey lt '2'")).toBe('1');
  const extended = ['--dialect', 'extended', '--filter', "contains(text,'Bake')"];
  expect(await keysOf('text:bread', ...extended)).toBe('2');
});

it('prints all types, and says if there are more', async () => {
  const query = await notes();
  const top = ['--search', 'text:bread', '--top', '1'];
  const names = ['--select', 'RowKey,stars,chip,id,seen'];

  const json = await query(...top, ...names, '--json');
  expect(json.errors).toBe('there are more entities than these 1: give a greater --top\n');
  expect(json.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      ...{ RowKey: '2', 'stars@odata.type': 'Edm.Double', stars: 4 },
      ...{ 'chip@odata.type': 'Edm.Int64', chip: '9007199254740993' },
      ...{ 'id@odata.type': 'Edm.Guid', id: GUID },
      ...{ 'seen@odata.type': 'Edm.DateTime', seen: '2026-01-02T03:04:05.678Z' },
    },
  ]);
  const csv = await query(...top, ...names, '--format', 'csv');
  expect(csv.lines).toEqual([
    'RowKey,stars,stars@type,chip,chip@type,id,id@type,seen,seen@type\r',
    `2,4,Edm.Double,9007199254740993,Edm.Int64,${GUID},Edm.Guid,` +
      '2026-01-02T03:04:05.678Z,Edm.DateTime\r',
  ]);
  const whole = await query('--search', 'text:yeast');
  expect(whole.lines[0]).toMatch(/^PartitionKey {2}RowKey {2}Timestamp +text /);
  expect(whole.lines[1]).toMatch(/^me +2 +20\d\d-\S+Z +Bake/);
  expect(whole.errors).toBe('');
});

it('prints 20 entities, and up to 1000', async () => {
  const folder = newFolder();
  await inFolder(folder, async (account) => {
    await account.createTable('Many');
    await account.tableClient('Many').importEntities(
      Array.from({ length: 1001 }, (_, at) => ({
        ...{ partitionKey: 'p', rowKey: `${at}`, text: 'same' },
      })),
    );
  });
  const words = ['query', '--at', folder, '--table', 'Many', '--search', 'text:same', '--json'];

  const twenty = await entitable(...words);
  expect(twenty.lines).toHaveLength(20);
  expect(twenty.errors).toContain('more entities than these 20');
  const most = await entitable(...words, '--top', '1000');
  expect({ code: most.code, lines: most.lines.length }).toEqual({ code: 0, lines: 1000 });
});

it('refuses a search without a property or words, and options that exclude it', async () => {
  const query = await notes();
  for (const [words, message] of [
    [['--search', 'text'], '--search takes NAME:WORDS'],
    [['--search', ':milk'], '--search takes NAME:WORDS'],
    [['--search', 'text: '], '--search takes NAME:WORDS'],
    [['--search', 'text:a', '--order-by', 'text'], 'so it takes no --order-by'],
    [['--search', 'text:a', '--skip', '1'], 'so it takes no --skip'],
    [['--search', 'text:a', '--group-by', 'text'], 'so it takes no --group-by'],
    [['--search', 'text:a', '--aggregate', 'count'], 'so it takes no --aggregate'],
    [['--search', 'text:a', '--top', '1001'], '--top is at most 1000 with --search'],
    [['--search', 'text:a', '--match', 'some'], '--match is one of all, any'],
    [['--match', 'any'], '--match is for --search'],
  ] as const) {
    const { code, lines, errors } = await query(...words);
    expect({ code, lines }, words.join(' ')).toEqual({ code: 2, lines: [] });
    expect(errors).toContain(message);
  }
});

it('fails with the error of the store, and without a folder', async () => {
  const [folder, url] = [await notesFolder(), await ownAccount()];
  for (const [place, table, words, message] of [
    [folder, 'Notes', ['RowKey:a'], 'not a system property'],
    [folder, 'Notes', ['text:a', '--filter', 'text eq'], 'Syntax error'],
    [folder, 'Nothing', ['text:a'], 'The table specified does not exist.'],
    [url, 'Notes', ['text:a'], 'error: a storage account does not support --search: copy'],
  ] as const) {
    const call = ['query', '--at', place, '--table', table, '--search', ...words];
    const { code, lines, errors } = await entitable(...call);
    expect({ code, lines }).toEqual({ code: 1, lines: [] });
    expect(errors).toContain(message);
  }
});

it('does what the guide shows', async () => {
  const folder = await notesFolder();
  const guide = 'docs/guides/command-line.md';
  const command = exampleNamed(guide, 'search.sh').trim();
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain!,
  );

  const { lines } = await entitable(
    ...words.slice(2).map((word) => (word === './tables' ? folder : word)),
  );
  expect(lines).toEqual(exampleNamed(guide, 'search.txt').trim().split('\n'));
});

it('is completed by the shell', async () => {
  const { lines } = await entitable('completion', 'bash');
  const script = lines.join('\n');

  expect(script).toMatch(/"query "\*\) words='[^']*--search --match/);
  expect(script).toContain(`"query --match") words='all any'`);
});
