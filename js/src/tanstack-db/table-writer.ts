/**
 * Writes the mutations of transactions of TanStack DB.
 *
 * @module
 */

import type { PendingMutation } from '@tanstack/db';

import { MAX_TRANSACTION_PARTS } from '../base/limits.js';
import type { TableRequests } from '../client/table-requests.js';
import { ANY_ETAG } from '../entity/any-etag.js';
import type { EntityKeys } from '../entity/keys.js';
import type { TransactionAction, UpdateMode } from '../entity/models.js';
import { keyNames, keysOf } from './row-keys.js';
import type { StoredRow } from './subset.js';
import type { SyncedRows, Watch } from './synced-rows.js';

/** One change of a row. */
export type Mutation = Pick<
  PendingMutation<Partial<StoredRow>>,
  'key' | 'type' | 'original' | 'modified' | 'changes'
>;

/** The writes of one row that have not ended. */
interface RowWrites {
  /** The last one. */
  last: Promise<void>;
  /** For each etag that these writes replaced, the new one. The key of an insert is undefined. */
  readonly etags: Map<string | undefined, string>;
}

/** A mutation as a write. */
interface Step {
  readonly key: string;
  readonly keys: EntityKeys;
  readonly kind: Mutation['type'];
  /** The row, or the part of it that an update merges. */
  readonly row: object;
  readonly mode: UpdateMode;
  /** The etag of the row before the mutation. */
  readonly etag: string | undefined;
}

type Keyed = EntityKeys & Record<string, unknown>;

/** The new etags of rows; undefined, if a row was deleted. */
type Written = Map<string, string | undefined>;

/** Writes to one table. */
export class TableWriter {
  /** The rows of the collection, while it follows the table. */
  rows: SyncedRows | undefined;
  readonly #requests: TableRequests;
  readonly #writes = new Map<string, RowWrites>();

  constructor(requests: TableRequests) {
    this.#requests = requests;
  }

  /**
   * Writes mutations of different rows, and waits until the collection has the result. A mutation
   * waits for earlier ones of its row.
   */
  async write(mutations: readonly Mutation[]): Promise<void> {
    const keys = mutations.map(({ key }) => key as string);
    const earlier = keys.map((key) => this.#writes.get(key)?.last ?? Promise.resolve());
    const writing = this.#submitAfter(earlier, [...mutations]);
    for (const key of keys) {
      const writes = this.#writes.get(key);
      if (writes) writes.last = writing;
      else this.#writes.set(key, { last: writing, etags: new Map() });
    }
    try {
      await writing;
    } finally {
      for (const key of keys) {
        if (this.#writes.get(key)?.last === writing) this.#writes.delete(key);
      }
    }
  }

  async #submitAfter(
    earlier: readonly Promise<void>[],
    mutations: readonly Mutation[],
  ): Promise<void> {
    const ended = await Promise.allSettled(earlier);
    const steps = mutations.map((mutation, index) => this.#stepOf(mutation, ended[index]!));
    const rows = this.rows;
    // If the table cannot be followed, the collection has reported that error already.
    await rows?.begun.catch(() => undefined);
    const watch = rows?.watch();
    try {
      const written: Written = new Map();
      for (const group of groupsOf(steps)) await this.#carryOut(group, written);
      if (watch) await untilReported(watch, written);
    } finally {
      if (watch) rows!.unwatch(watch);
    }
  }

  #stepOf(mutation: Mutation, earlier: PromiseSettledResult<void>): Step {
    const { type: kind, changes, original } = mutation;
    const { rows } = this.#requests;
    const key = mutation.key as string;
    const row = mutation.modified as StoredRow;
    const step = { key, keys: keysOf(rows, row), kind, row, mode: 'Replace' } as const;
    if (kind === 'insert') return { ...step, etag: undefined };
    const { etags } = this.#writes.get(key)!;
    let { etag } = original as Partial<StoredRow>;
    while (etags.has(etag)) etag = etags.get(etag);
    // The insert of the row has failed, so a stored row with this key is of another client.
    if (etag === undefined && earlier.status === 'rejected') throw earlier.reason;
    const removes = Object.values(changes).some((value) => value == null);
    // A row of an older version is written as a whole.
    if (kind === 'delete' || removes || rows?.versions) return { ...step, etag };
    const fields = keyNames(rows).map((name) => [name, row[name]] as const);
    return { ...step, row: { ...changes, ...Object.fromEntries(fields) }, mode: 'Merge', etag };
  }

  async #carryOut(steps: readonly Step[], written: Written): Promise<void> {
    const [step, ...others] = steps;
    // Not as a transaction, whose errors name the index of an action.
    const etags = others.length ? await this.#submit(steps) : [await this.#write(step!)];
    for (const [index, { key, etag: replaced }] of steps.entries()) {
      const etag = etags[index];
      written.set(key, etag);
      const known = this.#writes.get(key)!.etags;
      if (etag === undefined) known.clear();
      else known.set(replaced, etag);
    }
  }

  /** Returns the new etags; undefined for deleted rows. */
  async #submit(steps: readonly Step[]): Promise<(string | undefined)[]> {
    const requests = this.#requests;
    const actions = await Promise.all(
      steps.map(async ({ keys, kind, row, mode, etag }): Promise<TransactionAction> => {
        if (kind === 'delete') return ['delete', { ...keys }];
        const entity = ((await requests.rows?.stored(row, mode === 'Merge')) ?? row) as Keyed;
        return kind === 'insert' ? ['create', entity] : ['update', entity, mode, { etag }];
      }),
    );
    const { subResponses } = await requests.submit(actions, false, undefined);
    return subResponses.map(({ etag }) => etag);
  }

  async #write({ keys, kind, row, mode, etag = ANY_ETAG }: Step): Promise<string | undefined> {
    const requests = this.#requests;
    if (kind === 'insert') return (await requests.insert(row, undefined)).etag;
    if (kind === 'update') return (await requests.update(row, mode, etag, undefined)).etag;
    await requests.delete(keys, undefined, undefined);
    return undefined;
  }
}

// Each group is stored as a whole.
function groupsOf(steps: readonly Step[]): Step[][] {
  const partitions = new Map<string, Step[]>();
  for (const step of steps) {
    const { partitionKey } = step.keys;
    const partition = partitions.get(partitionKey);
    if (partition) partition.push(step);
    else partitions.set(partitionKey, [step]);
  }
  return [...partitions.values()].flatMap((all) => {
    const groups: Step[][] = [];
    for (let at = 0; at < all.length; at += MAX_TRANSACTION_PARTS) {
      groups.push(all.slice(at, at + MAX_TRANSACTION_PARTS));
    }
    return groups;
  });
}

// Waits until the collection has the written rows: the end of a transaction removes its optimistic
// state, and the rows would show their old state for a moment.
async function untilReported(watch: Watch, written: Written): Promise<void> {
  const isReported = () =>
    watch.isOver ||
    [...written].every(([key, etag]) => {
      const reported = watch.etags.get(key);
      if (reported === undefined) return false;
      return etag === undefined || reported === '' || timeOf(reported) >= timeOf(etag);
    });
  while (!isReported()) await new Promise<void>((resolve) => (watch.wake = resolve));
}

// The text of the time in an etag. Without the `Z` at its end, texts have the order of times.
const timeOf = (etag: string) => etag.slice(0, etag.lastIndexOf('Z'));
