/**
 * `entitable explain`: prints how a query reads a table.
 *
 * @module
 */

import { DIALECT, dialectOf, localOnly, withAccount } from '../account/place.js';
import type { CommandContext } from '../line/command.js';
import { readOptions, UsageError } from '../line/options.js';
import type { CommandUsage } from '../line/usage.js';
import { withHints } from './read-hints.js';

/** The usage of the command. */
export const EXPLAIN = {
  summary: 'prints how much of a table a filter reads',
  forms: ['--at FOLDER --table NAME [options]'],
  about: ['Counts the entities that a filter selects, and prints how the store has found them.'],
  options: {
    '--at': { value: 'FOLDER', text: 'the folder of the account' },
    '--table': { value: 'NAME', text: 'the table' },
    '--filter': { value: 'TEXT', text: 'an expression as in $filter' },
    ...DIALECT,
    '--json': { text: 'print one object' },
  },
} as const satisfies CommandUsage;

/** Runs the command. */
export async function explain(
  words: readonly string[],
  { write, environment }: CommandContext,
): Promise<number> {
  const options = readOptions(words, EXPLAIN.options);
  const table = options.get('--table');
  if (table === undefined) throw new UsageError('explain takes --at FOLDER --table NAME');
  const query = { filter: options.get('--filter'), dialect: dialectOf(options) };
  return await withAccount(options.get('--at'), environment, async (account) => {
    const client = localOnly(account, 'explain').tableClient(table);
    const plan = await withHints(account, { ...query, table }, () => client.explain(query));
    if (options.has('--json')) {
      await write(JSON.stringify(plan));
      return 0;
    }
    const { count, access, index, ranges, pagesRead, pagesSkipped, entitiesExamined, enforced } =
      plan;
    const lines = {
      'entities found': count,
      access: index === undefined ? access : `${access} ${index}`,
      'key ranges': ranges,
      'pages read': pagesRead,
      'pages skipped': pagesSkipped,
      'entities compared': entitiesExamined,
      'schema enforced': enforced ? 'yes' : 'no',
    };
    for (const [name, value] of Object.entries(lines)) await write(`${name.padEnd(19)}${value}`);
    return 0;
  });
}
