/**
 * `entitable get` and `entitable delete`: one entity by its keys, or all that a filter selects.
 *
 * @module
 */

import type { TableClient } from '../client/table-client.js';
import { entityToJson } from '../entity/json.js';
import type { RemoteTableClient } from '../remote/models.js';
import { AT, CREDENTIAL_NOTE, isLocal, withAccount, type ReadAccount } from './account/place.js';
import type { CommandContext } from './line/command.js';
import { interruptible } from './line/interruptible.js';
import type { ProgressLine } from './line/progress-line.js';
import { readOptions, UsageError } from './line/options.js';
import type { CommandUsage } from './line/usage.js';
import { counted, countedEntities } from './move/table-move.js';
import { withHints } from './query/read-hints.js';

const TABLE = { '--table': { value: 'NAME', text: 'the table' } } as const;

/** The usage of `entitable get`. */
export const GET = {
  summary: 'prints an entity',
  forms: ['--at PLACE --table NAME PARTITIONKEY ROWKEY'],
  about: [
    'Prints the entity with these keys as JSON, in the form in which entities are inserted, with ' +
      'the type of each property.',
  ],
  options: { ...AT, ...TABLE },
  notes: [CREDENTIAL_NOTE],
} as const satisfies CommandUsage;

/** The usage of `entitable delete`. */
export const DELETE = {
  summary: 'deletes an entity, or all that a filter selects',
  forms: [
    '--at PLACE --table NAME PARTITIONKEY ROWKEY',
    '--at PLACE --table NAME --filter TEXT [--dry-run]',
  ],
  about: ['Deletes the entity with these keys, or each that the filter selects.'],
  options: {
    ...AT,
    ...TABLE,
    '--filter': {
      value: 'TEXT',
      text: 'those that this expression selects, as in $filter: "PartitionKey eq \'dogs\'"',
      foreignNames: ['--where'],
    },
    '--dry-run': { text: 'only print how many entities the filter selects' },
    '--quiet': { text: 'print no progress' },
  },
  notes: [CREDENTIAL_NOTE],
} as const satisfies CommandUsage;

/** Runs `entitable get`. */
export async function get(
  words: readonly string[],
  { write, environment }: CommandContext,
): Promise<number> {
  const options = readOptions(words, GET.options, true);
  const table = options.get('--table');
  const [partitionKey, rowKey, ...more] = options.operands;
  if (table === undefined || rowKey === undefined || more.length > 0) {
    throw new UsageError('get takes --at PLACE --table NAME PARTITIONKEY ROWKEY');
  }
  return await withAccount(options.get('--at'), environment, async (account) => {
    const entity = await clientOf(account, table).getEntity(partitionKey!, rowKey, { typed: true });
    await write(entityToJson(entity));
    return 0;
  });
}

/** Runs `entitable delete`. */
export async function remove(words: readonly string[], context: CommandContext): Promise<number> {
  const options = readOptions(words, DELETE.options, true);
  const [table, filter] = [options.get('--table'), options.get('--filter')];
  const [partitionKey, rowKey, ...more] = options.operands;
  const isOne = filter === undefined && rowKey !== undefined && more.length === 0;
  const isMany = filter !== undefined && partitionKey === undefined;
  if (table === undefined || !(isOne || isMany)) {
    throw new UsageError('delete takes --at PLACE --table NAME, and two keys or --filter TEXT');
  }
  if (isOne && options.has('--dry-run')) throw new UsageError('--dry-run is for --filter');
  const [at, isDry] = [options.get('--at'), options.has('--dry-run')];
  const hint = 'the same command goes on from here';
  return await interruptible(options.has('--quiet'), context, hint, (line, signal) =>
    withAccount(at, context.environment, async (account) => {
      const count = isMany
        ? await deleteAll(account, { table, filter, isDry, line, signal })
        : await deleteOne(account, table, [partitionKey!, rowKey!]);
      line.clear();
      context.print(
        `${table}: ${countedEntities(count)} ${isDry ? 'would be deleted' : 'deleted'}`,
      );
      return 0;
    }),
  );
}

async function deleteOne(account: ReadAccount, table: string, keys: readonly [string, string]) {
  await clientOf(account, table).deleteEntity(...keys);
  return 1;
}

interface Selected {
  readonly table: string;
  readonly filter: string;
  readonly isDry: boolean;
  readonly line: ProgressLine;
  readonly signal: AbortSignal;
}

/** Returns how many there were. */
function deleteAll(account: ReadAccount, selected: Selected): Promise<number> {
  const { table, filter, line } = selected;
  const show = (count: number) => line.show(`${counted(count)} so far`);
  return withHints(account, { table, filter }, () =>
    isLocal(account)
      ? deleteHere(account.tableClient(table), selected, show)
      : deleteThere(account.tableClient(table), selected, show),
  );
}

async function deleteHere(
  client: TableClient,
  { filter, isDry, signal }: Selected,
  show: (count: number) => void,
): Promise<number> {
  if (isDry) return await client.countEntities({ filter, abortSignal: signal });
  const { deleted } = await client.deleteEntities({
    filter,
    abortSignal: signal,
    onProgress: (progress) => show(progress.deleted),
  });
  return deleted;
}

async function deleteThere(
  client: RemoteTableClient,
  { filter, isDry, signal }: Selected,
  show: (count: number) => void,
): Promise<number> {
  let count = 0;
  const entities = client.listEntities({
    queryOptions: { filter, select: ['PartitionKey', 'RowKey'] },
    abortSignal: signal,
  });
  for await (const { partitionKey, rowKey } of entities) {
    if (!isDry) await client.deleteEntity(partitionKey, rowKey, { abortSignal: signal });
    show(++count);
  }
  return count;
}

const clientOf = (account: ReadAccount, table: string): TableClient | RemoteTableClient =>
  account.tableClient(table);
