/**
 * `entitable tables`: prints the names of tables.
 *
 * @module
 */

import { AT, CREDENTIAL_NOTE, withAccount } from './account/place.js';
import { tablesOf } from './account/synced-folder.js';
import type { CommandContext } from './line/command.js';
import { readOptions } from './line/options.js';
import type { CommandUsage } from './line/usage.js';

/** The usage of `entitable tables`. */
export const TABLES = {
  summary: 'prints the names of the tables of an account',
  forms: ['--at PLACE [--json]'],
  about: ['Prints the names of the tables, one on each line.'],
  options: { ...AT, '--json': { text: 'print them as JSON, one text on each line' } },
  notes: [CREDENTIAL_NOTE],
} as const satisfies CommandUsage;

/** Runs `entitable tables`. */
export async function tables(
  words: readonly string[],
  { write, environment }: CommandContext,
): Promise<number> {
  const options = readOptions(words, TABLES.options);
  return await withAccount(options.get('--at'), environment, async (account) => {
    const names = await tablesOf(account);
    for (const name of names) await write(options.has('--json') ? JSON.stringify(name) : name);
    return 0;
  });
}
