// CSV for spreadsheets, which run what looks like a formula, and for terminals, which obey some
// characters.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { entitable, entitableIn, newFile, newFolder } from '../support/commands.js';

/** An account with a table of these texts, under the keys 0, 1, ... */
async function accountOf(...texts: string[]): Promise<string> {
  const lines = texts.map((text, RowKey) =>
    JSON.stringify({ PartitionKey: 'p', RowKey: `${RowKey}`, text }),
  );
  const at = join(newFolder(), 'account');
  await entitable('import', '--at', at, '--table', 'Rows', newFile('rows.jsonl', lines.join('\n')));
  return at;
}

/** Exports the table, and returns the bytes as a text. */
async function exported(at: string, to: string, ...words: string[]): Promise<string> {
  expect(
    await entitable('export', '--at', at, '--table', 'Rows', '--to', to, ...words),
  ).toMatchObject({
    code: 0,
  });
  return readFileSync(to, 'utf8');
}

const cellsOf = (csv: string) =>
  [...csv.matchAll(/Z,("(?:[^"]|"")*"|[^,]*),Edm/g)].map(([, cell]) => cell);

const FORMULAS = ['=1+1', '+1', '-2+3', '@SUM(A1)', '\tx', '\rx', "'=1", '-5', '-1.5e-7', 'a=b'];
const GUARDED = [
  ...["'=1+1", "'+1", "'-2+3", "'@SUM(A1)", "'\tx", `"'\rx"`, "''=1", '-5', '-1.5e-7', 'a=b'],
];

it('CSV for Excel begins with a byte order mark, and no cell is a formula', async () => {
  const at = await accountOf(...FORMULAS);
  const to = join(newFolder(), 'rows.csv');

  const excel = await exported(at, to, '--bom');
  expect(excel.startsWith('\uFEFFPartitionKey,')).toBe(true);
  expect(cellsOf(excel)).toEqual(GUARDED);
  const guarded = await exported(at, to, '--formulas', 'text');
  expect(guarded).toBe(excel.slice(1));
  const kept = await exported(at, to, '--bom', '--formulas', 'keep');
  expect(cellsOf(kept)).toEqual(FORMULAS.map((text) => (text === '\rx' ? '"\rx"' : text)));
  expect(cellsOf(await exported(at, to))).toEqual(cellsOf(kept));

  const query = ['query', '--at', at, '--table', 'Rows', '--format', 'csv', '--bom'] as const;
  const { lines } = await entitable(...query);
  expect(lines.map((line) => `${line}\n`).join('')).toBe(excel);
  expect(await entitable('query', '--at', at, '--table', 'Rows', '--bom')).toEqual({
    code: 2,
    lines: [],
    errors: 'error: --bom is for CSV\nSee entitable query --help\n',
  });
});

it('an import takes the apostrophes away that an export has put there', async () => {
  const at = await accountOf(...FORMULAS);
  const file = join(newFolder(), 'rows.csv');
  await exported(at, file, '--bom');
  const to = join(newFolder(), 'account');
  await entitable('import', '--at', to, '--table', 'Rows', file, '--formulas', 'text');

  const { lines } = await entitable('query', '--at', to, '--table', 'Rows', '--json');
  expect(lines.map((line) => (JSON.parse(line) as { text: string }).text)).toEqual(FORMULAS);
});

it('a terminal gets no character that steers it, and a pipe gets all', async () => {
  const steering = ['\u001b[2J', '\u009b2J', '\u007f', 'a\rb', 'a\u202eb', 'a\u2028b', '\u2067'];
  const at = await accountOf(...steering, 'line\nline');
  const printed = async (isTTY: boolean, ...words: string[]) => {
    const query = ['query', '--at', at, '--table', 'Rows'];
    const { lines } = await entitableIn({ isTTY }, ...query, ...words);
    return `${lines.join('\n')}\n`;
  };

  for (const format of ['csv', 'json', 'columns']) {
    const text = await printed(true, '--format', format);
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\u2028\u202e\u2067]/u);
    expect(text).toContain('\\u009b2J');
  }
  expect(await printed(true, '--format', 'json')).toContain('"\\u009b2J"');
  const csv = await printed(false, '--format', 'csv');
  for (const text of steering) expect(csv).toContain(text);
  expect(csv).toContain('"line\nline",Edm.String\r\n');
});
