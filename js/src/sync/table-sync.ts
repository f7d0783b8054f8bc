/**
 * What the parts of the sync of one table share.
 *
 * @module
 */

import { forEachAtOnce } from '../base/at-once.js';
import { withDecisions } from './conflicts.js';
import type { Undecided } from './decisions.js';
import type { ConflictResolver, SyncWarning } from './models.js';
import { both, literal, type RemotePage, type RemoteSyncTable } from './remote-table.js';
import type { Asked, KeyPair, StepAnswer, StepArguments, SyncSteps } from './steps.js';

/** One table. */
export interface TableSync {
  readonly steps: SyncSteps;
  readonly remote: RemoteSyncTable;
  /** The partitions; a single undefined stands for the whole table. */
  readonly scopes: readonly (string | undefined)[];
  readonly isReadOnly: boolean;
  readonly policy: string;
  readonly resolve: ConflictResolver | undefined;
  /** The conflicts of this round that the app has not decided. */
  readonly undecided: Undecided;
  /** Told how many rows were fetched, or sent. */
  readonly progress: (rows: number, sent: number) => void;
  /** Told that rows wait until an earlier request can take no effect any more. */
  readonly settle: () => void;
  readonly warn: (warning: Omit<SyncWarning, 'table'>) => void;
  /** Told the error of the resolver. The rows wait, and the rest goes on. */
  readonly fail: (error: unknown) => void;
  /** Whether the round is to end soon. What it has done stays, and the next one goes on. */
  readonly isOver: () => boolean;
  /** Whether the sync is to end. */
  readonly isStopping: () => boolean;
}

/** More requests at once are refused sooner, and gain nothing. */
export const AT_ONCE = 6;
// So many rows of a partition are fetched by one query.
const MANY = 8;

/**
 * Takes a step that may meet conflicts.
 *
 * @throws {@link TableError} as any write.
 */
export async function takeRows(
  { steps, policy, resolve, undecided, progress, warn, fail }: TableSync,
  step: string,
  given: StepArguments,
  texts: readonly string[],
): Promise<StepAnswer> {
  const common = { ...given, conflict: policy };
  const sent = [...texts];
  const { answer, error } = await withDecisions(steps.table, resolve, undecided, (decisions) =>
    steps.take(step, { ...common, decisions }, sent),
  );
  if (error !== undefined) fail(error);
  progress(Number(answer.changed ?? 0), 0);
  for (const { reason, ...key } of answer.refused ?? []) warn({ ...key, reason });
  for (const [partitionKey, rowKey] of answer.older ?? []) {
    warn({ partitionKey, rowKey, reason: OLDER });
  }
  return answer;
}

const OLDER = 'The remote account has gone back to an older version of the row.';

/** Reads a row of the remote account, and takes it. */
export async function readRow(table: TableSync, [partitionKey, rowKey]: KeyPair): Promise<void> {
  const asked = await table.steps.ask();
  const text = await table.remote.entity([partitionKey, rowKey]);
  await takeRow(table, [partitionKey, rowKey], asked, text);
}

/** Takes a row, or its absence. */
export async function takeRow(
  table: TableSync,
  [partitionKey, rowKey]: KeyPair,
  asked: Asked,
  text: string | undefined,
): Promise<void> {
  const given = { partitionKey, rowKey, ...asked, absent: text === undefined };
  await takeRows(table, 'takeRow', given, text === undefined ? [] : [text]);
}

/** Reads rows: many of one partition by one query, the others by themselves. */
export async function readRows(table: TableSync, keys: readonly KeyPair[]): Promise<void> {
  const partitions = new Map<string, string[]>();
  for (const [partitionKey, rowKey] of keys) {
    const rowKeys = partitions.get(partitionKey) ?? [];
    partitions.set(partitionKey, [...rowKeys, rowKey]);
  }
  const single: KeyPair[] = [];
  for (const [partitionKey, rowKeys] of partitions) {
    if (rowKeys.length >= MANY) await readRange(table, partitionKey, rowKeys);
    else single.push(...rowKeys.map((rowKey) => [partitionKey, rowKey] as const));
  }
  await forEachAtOnce(single, AT_ONCE, async (key) => {
    if (!table.isOver()) await readRow(table, key);
  });
}

// Rows in between that changed are welcome. The position of no pull is moved.
async function readRange(table: TableSync, partitionKey: string, rowKeys: readonly string[]) {
  const scope = table.scopes.includes(partitionKey) ? partitionKey : undefined;
  let token: string | undefined;
  do {
    const asked = await table.steps.ask();
    const page = await rangeOf(table, partitionKey, rowKeys, token);
    await takeRows(table, 'applyPage', { scope, ...asked, token: page.token }, [page.text]);
    token = page.token;
  } while (token && !table.isOver());
}

/** A page of the rows between the least and the greatest of these keys. */
export function rangeOf(
  { remote }: TableSync,
  partitionKey: string,
  rowKeys: readonly string[],
  token?: string,
): Promise<RemotePage> {
  // Keys compare by UTF-16 units, as strings do here.
  const [first = '', ...others] = [...rowKeys].sort();
  const last = others.at(-1) ?? first;
  const range = `RowKey ge ${literal(first)} and RowKey le ${literal(last)}`;
  const filter = both(`PartitionKey eq ${literal(partitionKey)}`, range);
  return remote.page({ filter, token });
}

/**
 * Creates the remote table if it is missing because it was never there. If rows of it are known,
 * somebody has deleted it, and the app decides.
 *
 * @param error - of the request that has found that the table is missing.
 * @throws `error`, or that of the request.
 */
export async function createTable(table: TableSync, error: Error): Promise<void> {
  const { mayCreateTable } = await table.steps.take('status');
  if (!mayCreateTable || table.isReadOnly) throw error;
  await table.remote.create();
}
