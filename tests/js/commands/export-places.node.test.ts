// Where an export may go: files, links to files, and what is no file.

import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { entitable, newFile, newFolder } from '../support/commands.js';

async function account(): Promise<string> {
  const at = join(newFolder(), 'account');
  const row = '{"PartitionKey":"p","RowKey":"1","text":"milk"}';
  await entitable('import', '--at', at, '--table', 'Rows', newFile('rows.jsonl', row));
  return at;
}

const exportTo = async (at: string, to: string) =>
  (await entitable('export', '--at', at, '--table', 'Rows', '--to', to, '--format', 'jsonl')).code;

it('a link stays a link, and its file keeps its permissions', async () => {
  const folder = newFolder();
  const [file, link] = [join(folder, 'file.jsonl'), join(folder, 'link.jsonl')];
  writeFileSync(file, 'old');
  chmodSync(file, 0o600);
  symlinkSync(file, link);

  expect(await exportTo(await account(), link)).toBe(0);

  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(file, 'utf8')).toContain('milk');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('a pipe gets the lines, and stays a pipe', async () => {
  const pipe = join(newFolder(), 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);

  const [code, text] = await Promise.all([exportTo(await account(), pipe), readFile(pipe, 'utf8')]);

  expect(code).toBe(0);
  expect(text).toContain('milk');
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});
