/**
 * The commands that read an account: `entitable tables` and `entitable query`.
 *
 * @module
 */

import process from 'node:process';

import { entityToJson } from '../entity/json.js';
import type { RemoteTable } from '../remote/models.js';
import type { Output } from './commands.js';
import { readOptions, UsageError } from './options.js';
import { AT, CREDENTIAL_NOTE, withAccount, type ReadAccount } from './place.js';
import { columnLines, csvLines, type TypedRow } from './rows.js';
import { tablesOf } from './synced-folder.js';
import type { CommandUsage } from './usage.js';

/** The usage of `entitable tables`. */
export const TABLES = {
  summary: 'prints the names of the tables of an account',
  forms: ['--at PLACE [--json]'],
  about: ['Prints the names of the tables, one on each line.'],
  options: { ...AT, '--json': { text: 'print them as JSON, one text on each line' } },
  notes: [CREDENTIAL_NOTE],
} as const satisfies CommandUsage;

/** The usage of `entitable query`. */
export const QUERY = {
  summary: 'prints entities of a table',
  forms: ['--at PLACE --table NAME [options]'],
  about: ['Prints the entities of a table in key order.'],
  options: {
    ...AT,
    '--table': { value: 'NAME', text: 'the table' },
    '--filter': {
      value: 'TEXT',
      text:
        "only those that this expression selects, as in $filter: \"PartitionKey eq 'dogs' and " +
        'age ge 7"',
    },
    '--select': { value: 'NAMES', text: 'only these properties; commas separate them' },
    '--top': { value: 'N', text: 'at most so many (default: 100 for columns, all otherwise)' },
    '--format': {
      value: 'HOW',
      text: 'how to print them:',
      choices: {
        columns: 'a column for each property (default)',
        json: 'JSON Lines, in the form in which entities are inserted, with the type of each property',
        csv: 'CSV, as Azure Storage Explorer reads it',
      },
    },
  },
  notes: [CREDENTIAL_NOTE],
} as const satisfies CommandUsage;

/** Runs `entitable tables`. */
export async function tables(words: readonly string[], { write }: Output): Promise<number> {
  const options = readOptions(words, TABLES.options);
  return await withAccount(options.get('--at'), process.env, async (account) => {
    const names = await tablesOf(account);
    for (const name of names) await write(options.has('--json') ? JSON.stringify(name) : name);
    return 0;
  });
}

interface QueryArguments {
  readonly place: string | undefined;
  readonly table: string;
  readonly filter: string | undefined;
  readonly select: string[] | undefined;
  readonly top: number;
  readonly format: keyof (typeof QUERY.options)['--format']['choices'];
}

const TOP_OF_COLUMNS = 100;
const WIDEST_COLUMN = 40;

/**
 * @param words - the words after the name of the command.
 * @throws {@link UsageError}
 */
export function parseQuery(words: readonly string[]): QueryArguments {
  const options = readOptions(words, QUERY.options);
  const table = options.get('--table');
  if (table === undefined) throw new UsageError('query takes --at PLACE --table NAME');
  const format = (options.get('--format') ?? 'columns') as QueryArguments['format'];
  const top = options.get('--top');
  if (top !== undefined && !/^[1-9]\d{0,14}$/.test(top)) {
    throw new UsageError('--top takes a number of 1 or more');
  }
  return {
    place: options.get('--at'),
    table,
    filter: options.get('--filter'),
    select: options
      .get('--select')
      ?.split(',')
      .map((name) => name.trim()),
    top: top === undefined ? (format === 'columns' ? TOP_OF_COLUMNS : Infinity) : Number(top),
    format,
  };
}

/** Runs `entitable query`. */
export async function query(words: readonly string[], output: Output): Promise<number> {
  const given = parseQuery(words);
  await withAccount(given.place, process.env, (account) => printRows(account, given, output));
  return 0;
}

async function printRows(
  account: ReadAccount,
  { table, filter, select, top, format }: QueryArguments,
  { write, complain }: Output,
): Promise<void> {
  const client: Pick<RemoteTable, 'listEntities'> = account.tableClient(table);
  const entities = client.listEntities({ typed: true, queryOptions: { filter, select } });
  const rows: TypedRow[] = [];
  let count = 0;
  let isMore = false;
  for await (const entity of entities) {
    if ((isMore = count === top)) break;
    count++;
    // The columns of the others depend on all rows.
    if (format === 'json') await write(entityToJson(entity));
    else rows.push(entity as unknown as TypedRow);
  }
  if (format !== 'json' && count > 0) {
    const lines = format === 'csv' ? csvLines(rows) : columnLines(rows, WIDEST_COLUMN);
    const end = format === 'csv' ? '\r' : '';
    for (const line of lines) await write(line + end);
  }
  if (isMore) complain(`there are more entities than ${top}: --top N prints others`);
}
