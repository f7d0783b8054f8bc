/**
 * `entitable export`: writes a table, or all tables, into a file.
 *
 * @module
 */

import { constants, open, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { extname } from 'node:path';

import { exportAll } from '../archive.js';
import { textOfUtf8 } from '../base/utf8.js';
import { csvOf, jsonOf } from '../formats/export-lines.js';
import type { CsvStyle, Row } from '../formats/rows.js';
import type { RemoteTableClient } from '../remote/models.js';
import {
  AT,
  CREDENTIAL_NOTE,
  DIALECT,
  dialectOf,
  localOnly,
  withAccount,
  type ReadAccount,
} from './account/place.js';
import { CSV_OPTIONS, csvStyleOf } from './csv-options.js';
import type { CommandContext, Output } from './line/command.js';
import { interruptible } from './line/interruptible.js';
import { readOptions, UsageError } from './line/options.js';
import type { CommandUsage } from './line/usage.js';
import { counted } from './move/table-move.js';
import { withHints } from './query/read-hints.js';

/** The usage of the command. */
export const EXPORT = {
  summary: 'writes a table, or a whole account, into a file',
  forms: ['--at PLACE --table NAME --to FILE [options]', '--at FOLDER --to ARCHIVE'],
  about: [
    'Writes the entities of a table into a file, with their types. Without --table, it writes an ' +
      'archive of all tables. A file that is there is replaced when everything is written.',
  ],
  options: {
    ...AT,
    '--table': { value: 'NAME', text: 'the table' },
    '--to': { value: 'FILE', text: 'the file; - is standard output' },
    '--filter': { value: 'TEXT', text: 'only the entities that this expression selects' },
    ...DIALECT,
    '--format': {
      value: 'HOW',
      text: 'the form of the file (default: as its name ends; without an ending jsonl):',
      choices: {
        csv: 'CSV, as Azure Storage Explorer reads it',
        json: 'a JSON array',
        jsonl: 'an entity on each line, in JSON',
      },
    },
    ...CSV_OPTIONS,
    '--quiet': { text: 'show no progress' },
  },
  notes: [CREDENTIAL_NOTE],
} as const satisfies CommandUsage;

type Format = keyof (typeof EXPORT.options)['--format']['choices'];

interface ExportArguments {
  readonly place: string | undefined;
  readonly table: string | undefined;
  readonly file: string;
  readonly filter: string | undefined;
  readonly dialect: 'service' | 'extended' | undefined;
  readonly format: Format;
  readonly csv: CsvStyle;
  readonly isQuiet: boolean;
}

/**
 * @param words - the words after the name of the command.
 * @throws {@link UsageError}
 */
export function parseExport(words: readonly string[]): ExportArguments {
  const options = readOptions(words, EXPORT.options);
  const [table, file] = [options.get('--table'), options.get('--to')];
  if (file === undefined) throw new UsageError('export takes --at PLACE --table NAME --to FILE');
  for (const name of ['--filter', '--dialect', '--format'] as const) {
    if (table === undefined && options.has(name)) throw new UsageError(`${name} goes with --table`);
  }
  const format = (options.get('--format') ?? formatOf(file, table === undefined)) as Format;
  return {
    place: options.get('--at'),
    table,
    file,
    filter: options.get('--filter'),
    dialect: dialectOf(options),
    format,
    csv: { withTypes: true, ...csvStyleOf(options, format === 'csv') },
    isQuiet: options.has('--quiet'),
  };
}

// A name without an ending says nothing.
function formatOf(file: string, isArchive: boolean): Format {
  const ending = extname(file).slice(1).toLowerCase();
  const formats = isArchive ? ['jsonl'] : Object.keys(EXPORT.options['--format'].choices);
  if (ending === '') return 'jsonl';
  if (formats.includes(ending)) return ending as Format;
  throw new UsageError(
    isArchive
      ? 'without --table, an archive is written, whose name ends in .jsonl'
      : `--to takes a name that ends in ${formats.map((one) => `.${one}`).join(', ')}; for another one, --format says the form`,
  );
}

/** Runs the command. */
export async function exportTables(
  words: readonly string[],
  context: CommandContext,
): Promise<number> {
  const given = parseExport(words);
  return interruptible(given.isQuiet, context, 'nothing was written', async (line, signal) => {
    await withAccount(given.place, context.environment, async (account) => {
      const lines = given.table === undefined ? archive(account) : table(account, given, signal);
      const watched = counting(lines, signal, (count) =>
        line.show(`${counted(count)} lines written`),
      );
      await withHints(account, given, () => writeTo(given.file, watched, context));
    });
    return 0;
  });
}

async function* counting(
  lines: AsyncIterable<string>,
  signal: AbortSignal,
  show: (count: number) => void,
): AsyncGenerator<string> {
  let count = 0;
  for await (const line of lines) {
    signal.throwIfAborted();
    yield line;
    if (++count % 1000 === 0) show(count);
  }
}

async function* archive(account: ReadAccount): AsyncGenerator<string> {
  const local = localOnly(account, 'archives');
  for await (const chunk of exportAll(local) as AsyncIterable<Uint8Array>) {
    // Each chunk is whole lines.
    yield* textOfUtf8(chunk).split('\n').slice(0, -1);
  }
}

async function* table(
  account: ReadAccount,
  given: ExportArguments,
  abortSignal: AbortSignal,
): AsyncGenerator<string> {
  const list = listOf(account, given, abortSignal);
  if (given.format === 'csv') yield* csvOf(list, given.csv);
  else yield* jsonOf(list(), given.format === 'json');
}

function listOf(
  account: ReadAccount,
  { table, filter, dialect }: ExportArguments,
  abortSignal: AbortSignal,
): () => AsyncIterable<Row> {
  const options = { typed: true, abortSignal, queryOptions: { filter } } as const;
  if (dialect === 'extended') {
    const client = localOnly(account, '--dialect extended').tableClient(table!);
    return () => client.listEntities({ ...options, dialect });
  }
  const client: Pick<RemoteTableClient, 'listEntities'> = account.tableClient(table!);
  return () => client.listEntities(options);
}

async function writeTo(
  file: string,
  lines: AsyncIterable<string>,
  { write }: Output,
): Promise<void> {
  if (file === '-') for await (const text of lines) await write(text);
  else await writeFile(file, lines);
}

const BUFFER_LENGTH = 65_536;

// A file of that name is whole, whatever happens here. It keeps its permissions, and a link to it
// stays a link.
async function writeFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  const before = await stat(path).catch(() => undefined);
  if (before && !before.isFile()) return writeInto(path, lines);
  const target = before ? await realpath(path) : path;
  const unfinished = `${target}.part`;
  const file = await open(unfinished, 'w', before?.mode);
  try {
    await writeLines(file, lines);
    await file.sync();
    await file.close();
    await rename(unfinished, target);
  } catch (error) {
    await file.close();
    await rm(unfinished, { force: true });
    throw error;
  }
}

// A pipe or a device takes the lines as they come.
async function writeInto(path: string, lines: AsyncIterable<string>): Promise<void> {
  const file = await open(path, constants.O_WRONLY);
  try {
    await writeLines(file, lines);
  } finally {
    await file.close();
  }
}

async function writeLines(file: FileHandle, lines: AsyncIterable<string>): Promise<void> {
  let text = '';
  for await (const line of lines) {
    text += `${line}\n`;
    if (text.length < BUFFER_LENGTH) continue;
    await file.writeFile(text);
    text = '';
  }
  await file.writeFile(text);
}
