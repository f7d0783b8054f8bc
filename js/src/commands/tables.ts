/**
 * `entitable tables`, `create` and `drop`: the tables of an account.
 *
 * @module
 */

import {
  AT,
  CREDENTIAL_NOTE,
  isLocal,
  withAccount,
  withNewAccount,
  type ReadAccount,
} from './account/place.js';
import { tablesOf } from './account/synced-folder.js';
import type { CommandContext } from './line/command.js';
import { readOptions, UsageError } from './line/options.js';
import type { CommandUsage } from './line/usage.js';
import { counted } from './move/table-move.js';

/** The usage of `entitable tables`. */
export const TABLES = {
  summary: 'prints the names of the tables of an account',
  forms: ['--at PLACE [--count] [--json]'],
  about: ['Prints the names of the tables, one on each line.'],
  options: {
    ...AT,
    '--count': {
      text: 'print how many entities each has; of a storage account, this reads all their keys',
    },
    '--json': { text: 'print them as JSON: a text on each line, or an object with --count' },
  },
  notes: [CREDENTIAL_NOTE],
} as const satisfies CommandUsage;

/** The usage of `entitable create`. */
export const CREATE = {
  summary: 'creates tables',
  forms: ['--at PLACE NAME...'],
  about: ['Creates tables, and the folder if it is new. A table that exists stays as it is.'],
  options: { ...AT },
  notes: [CREDENTIAL_NOTE],
} as const satisfies CommandUsage;

/** The usage of `entitable drop`. */
export const DROP = {
  summary: 'deletes tables, with all their entities',
  forms: ['--at PLACE NAME...'],
  about: ['Deletes tables with all their entities. Nothing brings them back.'],
  options: { ...AT },
  notes: [CREDENTIAL_NOTE],
} as const satisfies CommandUsage;

/** Runs `entitable tables`. */
export async function tables(
  words: readonly string[],
  { write, environment }: CommandContext,
): Promise<number> {
  const options = readOptions(words, TABLES.options);
  const isJson = options.has('--json');
  return await withAccount(options.get('--at'), environment, async (account) => {
    const names = await tablesOf(account);
    const widest = Math.max(0, ...names.map((name) => name.length));
    for (const name of names) {
      if (!options.has('--count')) {
        await write(isJson ? JSON.stringify(name) : name);
        continue;
      }
      const count = await countOf(account, name);
      const line = `${name.padEnd(widest)}  ${counted(count)}`;
      await write(isJson ? JSON.stringify({ name, count }) : line);
    }
    return 0;
  });
}

async function countOf(account: ReadAccount, table: string): Promise<number> {
  if (isLocal(account)) return await account.tableClient(table).countEntities();
  let count = 0;
  const list = account.tableClient(table).listEntities({ queryOptions: { select: ['RowKey'] } });
  for await (const page of list.byPage()) count += page.length;
  return count;
}

/** Runs `entitable create`. */
export async function create(
  words: readonly string[],
  { print, environment }: CommandContext,
): Promise<number> {
  const options = readOptions(words, CREATE.options, true);
  const names = namesIn(options.operands, 'create');
  return await withNewAccount(options.get('--at'), environment, async (account) => {
    const before = new Set((await tablesOf(account)).map((name) => name.toLowerCase()));
    for (const name of names) {
      await account.createTable(name);
      print(`${name} ${before.has(name.toLowerCase()) ? 'is there already' : 'created'}`);
    }
    return 0;
  });
}

/** Runs `entitable drop`. */
export async function drop(
  words: readonly string[],
  { print, environment }: CommandContext,
): Promise<number> {
  const options = readOptions(words, DROP.options, true);
  const names = namesIn(options.operands, 'drop');
  return await withAccount(options.get('--at'), environment, async (account) => {
    const found = await tablesOf(account);
    const known = new Set(found.map((name) => name.toLowerCase()));
    const missing = names.find((name) => !known.has(name.toLowerCase()));
    // Nothing is deleted if one of the names is misspelled.
    if (missing !== undefined) {
      throw new Error(`there is no table ${missing}; there are ${found.join(', ') || 'none'}`);
    }
    for (const name of names) {
      await account.deleteTable(name);
      print(`${name} deleted`);
    }
    return 0;
  });
}

function namesIn(operands: readonly string[], command: string): readonly string[] {
  if (operands.length > 0) return operands;
  throw new UsageError(`${command} takes --at PLACE NAME...`);
}
