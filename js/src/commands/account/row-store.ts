/**
 * Stores entities in a table, of a folder or of a storage account. Entities that the table refuses
 * are left out, and the others are stored nevertheless.
 *
 * @module
 */

import { isTableError, type TableError } from '../../base/errors.js';
import type { TableClient } from '../../client/table-client.js';
import type { TableEntity } from '../../entity/entities.js';
import type { TransactionAction } from '../../entity/models.js';
import type { RemoteTableClient } from '../../remote/models.js';
import { isLocal, type ReadAccount } from './place.js';

/** How an entity is stored if there is one with its keys. */
export type StoreMode = 'Replace' | 'Merge';

/** A table that takes entities. */
export interface RowStore<T extends { readonly entity: TableEntity }> {
  /** Stores entities. Resolves to how many of them were not refused. */
  readonly put: (rows: readonly T[]) => Promise<number>;
}

// Enough for one step of the store, in UTF-16 units. Short rows take memory, too.
const BATCH_LENGTH = 4 * 1024 * 1024;
const LENGTH_OF_ROW = 256;

/** Collects rows for one step of the store. How many they are depends on their length. */
export class RowBatch<T> {
  #rows: T[] = [];
  #length = 0;

  /** Whether there are enough rows. */
  get isFull(): boolean {
    return this.#length >= BATCH_LENGTH;
  }

  /** @param length - of the texts in the rows, in UTF-16 units. */
  add(rows: readonly T[], length: number): void {
    for (const row of rows) this.#rows.push(row);
    this.#length += length + rows.length * LENGTH_OF_ROW;
  }

  /** Returns its rows, and begins anew. */
  take(): readonly T[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#length = 0;
    return rows;
  }
}

interface Refusal {
  /** The index of the refused entity. */
  readonly index: number;
  /** Whether all before it are stored. */
  readonly isStoredBefore: boolean;
  readonly error: TableError;
}

// An import of many entities has few commits. A storage account gets transactions of up to 100.
const MOST_LOCAL = 16_384;
const MOST_REMOTE = 1_000;

/**
 * @param onRefused - takes what the table refuses.
 * @param signal - ends a `put`; what was stored stays.
 */
export function rowStore<T extends { readonly entity: TableEntity }>(
  account: ReadAccount,
  table: string,
  { mode, signal }: { readonly mode: StoreMode; readonly signal: AbortSignal },
  onRefused: (row: T, error: TableError) => Promise<void>,
): RowStore<T> {
  const isRemote = !isLocal(account);
  const most = isRemote ? MOST_REMOTE : MOST_LOCAL;
  const client: TableClient | RemoteTableClient = account.tableClient(table);
  const store = (rows: readonly T[]) =>
    isRemote ? send(client, rows, mode, signal) : load(client as TableClient, rows, mode, signal);

  // After a refusal, the next part is as long as what was stored before it. So the work stays small
  // however many are refused.
  async function put(rows: readonly T[]): Promise<number> {
    let size = most;
    let refused = 0;
    for (let at = 0; at < rows.length;) {
      const part = rows.slice(at, at + size);
      const refusal = await store(part);
      if (!refusal) {
        at += part.length;
        size = Math.min(most, 2 * size);
        continue;
      }
      const { index, isStoredBefore, error } = refusal;
      if (!isStoredBefore) refused += index - (await put(part.slice(0, index)));
      await onRefused(part[index]!, error);
      refused++;
      at += index + 1;
      size = Math.max(1, index);
    }
    return rows.length - refused;
  }
  return { put };
}

type WithEntity = { readonly entity: TableEntity };

async function load(
  client: TableClient,
  rows: readonly WithEntity[],
  mode: StoreMode,
  abortSignal: AbortSignal,
): Promise<Refusal | undefined> {
  const entities = rows.map(({ entity }) => entity);
  const refusal = await refusalOf(
    client.importEntities(entities, { mode, abortSignal }),
    'entityIndex',
  );
  return refusal && { ...refusal, isStoredBefore: true };
}

async function send(
  client: TableClient | RemoteTableClient,
  rows: readonly WithEntity[],
  mode: StoreMode,
  abortSignal: AbortSignal,
): Promise<Refusal | undefined> {
  const actions = rows.map(({ entity }): TransactionAction => ['upsert', entity, mode]);
  const sent = client.submitTransaction(actions, { split: true, abortSignal });
  // The transactions of other partitions may have come first.
  const refusal = await refusalOf(sent, 'operationIndex');
  return refusal && { ...refusal, isStoredBefore: refusal.index === 0 };
}

// A failure that is not the fault of one entity stays a failure.
async function refusalOf(
  work: Promise<unknown>,
  at: 'entityIndex' | 'operationIndex',
): Promise<Omit<Refusal, 'isStoredBefore'> | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!isTableError(error)) throw error;
    const index = error.details[at];
    const isOfEntity = [400, 409, 412, 413].includes(error.statusCode);
    if (index === undefined || !isOfEntity) throw error;
    return { index, error };
  }
}
