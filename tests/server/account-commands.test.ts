// The commands that export, copy, check and sign.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { DEVELOPMENT_ACCOUNT } from '../../js/src/http.js';
import { remoteAccount } from '../../js/src/remote.js';
import { entitable, entitableIn } from '../js/support/commands.js';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { newFolder } from '../package/support/serve.js';
import {
  at,
  dumpOf,
  dumpOfFolder,
  fullFolder,
  inFolder,
  outcomeOf,
  start,
} from './support/move.js';
import { nameAt, ownAccount } from './support/remotes.js';

describe('an export', () => {
  it.each(['csv', 'json', 'jsonl'])('as %s becomes the same entities again', async (ending) => {
    const [from, to] = [await fullFolder(), newFolder()];
    const file = join(to, `pets.${ending}`);
    const words = ['export', '--at', from, '--table', 'Pets', '--to', file];
    expect(await entitable(...words)).toEqual({ code: 0, lines: [], errors: '' });
    expect(readdirSync(to)).toEqual([`pets.${ending}`]);
    const shown = await entitable(...words.slice(0, -1), '-', '--format', ending);
    expect(`${shown.lines.join('\n')}\n`).toBe(readFileSync(file, 'utf8'));

    const folder = join(newFolder(), 'new');
    const back = await entitable('import', '--at', folder, '--table', 'Pets', file);
    expect(back.code, back.errors).toBe(0);
    expect((await dumpOfFolder(folder))['Pets']).toEqual((await dumpOfFolder(from))['Pets']);
  });

  it('without a table is an archive, and a failed one leaves the file of before', async () => {
    const [from, to] = [await fullFolder(), newFolder()];
    const file = join(to, 'all.jsonl');
    expect((await entitable('export', '--at', from, '--to', file)).code).toBe(0);
    const before = readFileSync(file, 'utf8');
    expect(before).toContain('{"entitable":"archive"');

    const words = ['export', '--at', from, '--table', 'None', '--to', file];
    expect((await entitable(...words)).code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(to)).toEqual(['all.jsonl']);
  });
});

it('exports by the commands of the guide', async () => {
  const [from, to] = [await fullFolder(), newFolder()];
  const own: Record<string, string> = {
    ...{ './shop': from, Sales: 'Birds' },
    ...{ 'sales.csv': join(to, 'sales.csv'), 'shop.jsonl': join(to, 'shop.jsonl') },
  };
  const guide = ['export.sh', 'excel.sh'].map((name) =>
    exampleNamed('docs/guides/command-line.md', name).trim(),
  );
  for (const command of guide.join('\n').split('\n')) {
    const words = command.split(' ').slice(2);
    expect((await entitable(...words.map((word) => own[word] ?? word))).code, command).toBe(0);
  }

  // A line for the names, and one for each entity.
  const csv = readFileSync(own['sales.csv']!, 'utf8');
  expect(csv.startsWith('\uFEFFPartitionKey,')).toBe(true);
  expect(csv.trim().split('\n')).toHaveLength(1501);
  expect(readFileSync(own['shop.jsonl']!, 'utf8')).toContain('{"entitable":"archive"');
});

it('changes single entities and tables by the commands of the guide', async () => {
  const folder = newFolder();
  const file = join(folder, 'animals.csv');
  writeFileSync(
    file,
    'PartitionKey,RowKey,legs\nbirds,owl,2\nbirds,wren,2\ncats,Tom,4\ndogs,Rex,4\n',
  );
  const own: Record<string, string> = { './zoo': join(folder, 'zoo'), 'animals.csv': file };
  const lines: string[] = [];
  for (const command of exampleNamed('docs/guides/command-line.md', 'single.sh').split('\n')) {
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, text, word]) => text ?? word!);
    if (words.length === 0) continue;
    const given = words.slice(2).map((word) => own[word] ?? word);
    lines.push(...(await entitable(...given)).lines);
  }

  const printed = `${lines.join('\n').replace(file, 'animals.csv')}\n`;
  expect(printed).toBe(exampleNamed('docs/guides/command-line.md', 'single.txt'));
});

it('copies tables between folders and storage accounts', async () => {
  const from = await fullFolder();
  const url = await ownAccount();
  const sent = await entitable('copy', '--from', from, '--to', url, '--table', 'Pets');
  expect(sent).toEqual({ code: 0, lines: ['Pets: 2 entities copied'], errors: '' });
  const dump = await dumpOfFolder(from);
  expect(await dumpOf(at(url))).toEqual({ Pets: dump['Pets'] });

  const to = join(newFolder(), 'new');
  expect((await entitable('copy', '--from', url, '--to', to)).code).toBe(0);
  const rest = await entitable('copy', '--from', from, '--to', to, '--json');
  expect(rest.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { table: 'Birds', copied: 1500, refused: 0 },
    { table: 'Empty', copied: 0, refused: 0 },
    { table: 'Pets', copied: 2, refused: 0 },
  ]);
  expect(await dumpOfFolder(to)).toEqual(dump);
  const none = await entitable('copy', '--from', from, '--to', to, '--table', 'None');
  expect(none.code).toBe(1);
  expect(Object.keys(await dumpOfFolder(to))).not.toContain('None');
});

it('finds damage in a folder, and saves the rest', async () => {
  const folder = await fullFolder();
  const good = await outcomeOf(start(['verify', '--at', folder]));
  expect(good).toEqual({ code: 0, lines: ['no fault'], errors: '' });
  const saved = join(newFolder(), 'saved');
  const repaired = await outcomeOf(start(['repair', '--at', folder, '--to', saved, '--json']));
  expect(repaired.code, repaired.errors).toBe(0);
  expect(await dumpOfFolder(saved)).toEqual(await dumpOfFolder(folder));
  expect((await entitable('repair', '--at', folder, '--to', saved)).errors).toContain('not empty');

  // The key of one pet, which is in a value with a checksum.
  const file = join(
    folder,
    readdirSync(folder).find((name) => name === 'entitable.store')!,
  );
  const bytes = readFileSync(file);
  const place = bytes.lastIndexOf(Buffer.from("O'Neil"));
  expect(place).toBeGreaterThan(0);
  bytes[place]! ^= 1;
  writeFileSync(file, bytes);
  const bad = await entitable('verify', '--at', folder, '--json');
  expect(bad.code).toBe(1);
  const findings = bad.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(findings[0]).toMatchObject({ flaw: 'damaged' });
  expect(findings.at(-1)).toEqual({ faults: findings.length - 1 });
});

it('explains a filter', async () => {
  const folder = await fullFolder();
  const words = ['explain', '--at', folder, '--table', 'Birds', '--filter', "PartitionKey eq '1'"];
  const { code, lines } = await entitable(...words, '--json');

  expect(code).toBe(0);
  expect(JSON.parse(lines[0]!)).toMatchObject({ count: 500, access: 'partition scan', ranges: 1 });
  expect((await entitable(...words)).lines[1]).toBe('access             partition scan');
  const remote = await entitable('explain', '--at', await ownAccount(), '--table', 'Birds');
  expect(remote).toMatchObject({ code: 1, lines: [] });
});

it('signs for a table, for as long as it is told', async () => {
  const url = await ownAccount();
  await at(url).createTable('Pets');
  const environment = {
    AZURE_STORAGE_KEY: DEVELOPMENT_ACCOUNT.key,
    AZURE_STORAGE_ACCOUNT: nameAt(url),
  };
  const run = async (...words: string[]) => {
    const { lines, errors } = await entitableIn({ environment }, 'sas', '--at', url, ...words);
    return { said: lines.join('\n'), errors };
  };
  const words = ['--table', 'Pets', '--permissions', 'a', '--expires', '5m'];
  const { sas, url: whole } = JSON.parse((await run(...words, '--json')).said) as Record<
    string,
    string
  >;
  expect(whole).toBe(`${url}?${sas}`);
  const pets = remoteAccount({ url, sas: sas! }).tableClient('Pets');
  await pets.createEntity({ partitionKey: 'p', rowKey: '1' });
  await expect(pets.getEntity('p', '1')).rejects.toThrow();

  const [command] = exampleNamed('docs/guides/command-line.md', 'sas.sh').trim().split('\n');
  const shown = await run(...command!.split(' ').slice(5));
  const readable = remoteAccount({ url, sas: shown.said }).tableClient('Pets');
  expect((await readable.getEntity('p', '1')).rowKey).toBe('1');

  const all = await run('--permissions', 'l', '--expires', '2099-01-01', '--url');
  const names = remoteAccount({ url: all.said }).listTables();
  expect((await names.next()).value).toMatchObject({ name: 'Pets' });
  expect((await run('--table', 'Pets', '--permissions', 'a')).errors).toContain('error: sas takes');
  const wrong = ['--permissions', 'x', '--expires', '1h', '--table', 'Pets'];
  expect((await run(...wrong)).errors).not.toContain(DEVELOPMENT_ACCOUNT.key);
  for (const [when, message] of [
    ['soon', '--expires takes 30m, 8h, 7d or a time'],
    // February has no such day.
    ['2031-02-31', '--expires takes 30m, 8h, 7d or a time'],
    ['2031-02-29T12:00:00Z', '--expires takes 30m, 8h, 7d or a time'],
    ['2020-01-01', '--expires takes a time in the future'],
    ['0m', '--expires takes a time in the future'],
  ] as const) {
    const { errors } = await run('--permissions', 'r', '--expires', when);
    expect(errors, when).toContain(`error: ${message}`);
  }
  for (const range of ['1.2.3', '1.2.3.256', '::1', '1.2.3.4-1.2.3.3', '1.2.3.4-5-6', 'a']) {
    const { errors } = await run('--permissions', 'r', '--expires', '1h', '--ip', range);
    expect(errors, range).toContain('error: --ip takes an IPv4 address, or two');
  }
  const limited = await run('--permissions', 'r', '--expires', '1h', '--ip', '1.2.3.4-1.2.4.1');
  expect(limited.said).toContain('&sip=1.2.3.4-1.2.4.1&');
});

describe('completion', () => {
  it('completes commands, options and their values in bash', async () => {
    const { lines } = await entitable('completion', 'bash');
    const completed = (...words: string[]) => {
      const script = [
        ...lines,
        `COMP_WORDS=(entitable ${words.map((word) => `'${word}'`).join(' ')})`,
        `COMP_CWORD=${words.length}`,
        `_entitable entitable '${words.at(-1)}' '${words.at(-2) ?? 'entitable'}'`,
        `echo "\${COMPREPLY[@]}"`,
      ];
      return execFileSync('bash', ['-c', script.join('\n')], { encoding: 'utf8' }).trim();
    };

    expect(completed('ver')).toBe('verify');
    expect(completed('query', '--agg')).toBe('--aggregate');
    expect(completed('help', 'quer')).toBe('query');
    expect(completed('query', '--at', 'x', '--format', '')).toBe('columns json csv');
    expect(completed('completion', '')).toBe('bash zsh fish --help');
    // Files are completed by the shell.
    expect(completed('import', '--at', '')).toBe('');
  });

  it('has every command and option in the scripts of all shells', async () => {
    const { lines: help } = await entitable('--help');
    const names = help.flatMap((line) => /^ {2}([a-z]+) {2,}/.exec(line)?.slice(1) ?? []);
    expect(names.length).toBeGreaterThan(15);
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, lines } = await entitable('completion', shell);
      const script = lines.join('\n');
      expect(code).toBe(0);
      for (const name of names) expect(script).toContain(name);
      expect(script).toMatch(/--dry-run|-l dry-run/);
      const parser = `/usr/bin/${shell}`;
      const file = join(newFolder(), shell);
      writeFileSync(file, `${script}\n`);
      if (existsSync(parser)) execFileSync(parser, ['-n', file]);
    }
    expect((await entitable('completion', 'cmd')).code).toBe(2);
  });
});

it('prints exact aggregates of the newer kinds', async () => {
  const folder = newFolder();
  await inFolder(folder, async (account) => {
    await account.createTable('Marks');
    const entities = [1, 2, 2, 5].map((n, i) => ({ partitionKey: 'p', rowKey: `${i}`, n }));
    await account.tableClient('Marks').importEntities(entities);
  });
  const words = ['--aggregate', 'distinct:n,median=quantile:n:0.5'];
  const { lines } = await entitable('query', '--at', folder, '--table', 'Marks', ...words);
  expect(lines).toEqual(['distinct_n  median', '3           2']);
});
