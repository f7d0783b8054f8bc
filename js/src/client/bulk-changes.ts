/**
 * Deletes or updates all entities that fit a filter, a page at a time. It is loaded at its first
 * use.
 *
 * The changes of a page are transactions of up to 100 entities of a partition. They go to the
 * engine together, so they share a commit. Each change carries the etag that was read. If an etag
 * is out of date, the call reads the entities of that transaction again, with the filter.
 *
 * @module
 */

import {
  abortError,
  interruption,
  invalidInput,
  isTableError,
  remade,
  type TableError,
} from '../base/errors.js';
import { hasMethod, isObject } from '../base/kinds.js';
import { MAX_TRANSACTION_PARTS } from '../base/limits.js';
import { shown } from '../base/shown.js';
import { Slices } from '../base/slices.js';
import type { Answer, Operation } from '../core/frames.js';
import { positionOf, type PagePosition } from '../core/page-position.js';
import type {
  DeleteEntitiesOptions,
  DeleteEntitiesProgress,
  UpdateEntitiesOptions,
  UpdateEntitiesProgress,
} from '../entity/bulk-changes.js';
import type { EntityKeys, GivenKeys } from '../entity/keys.js';
import type { TransactionAction } from '../entity/models.js';
import { odata } from '../entity/odata.js';
import { deleteOperation, queryOperation } from '../entity/operations.js';
import { readEntities } from '../entity/reader.js';
import type { LocalRequests } from './entity-requests.js';
import { submitOnce } from './transaction.js';

type SetFunction = (entity: object) => object | undefined;

/** What `set` of `updateEntities` may be. */
export type PropertiesToSet = object | SetFunction;

/** An entity as it was read. */
interface Found extends EntityKeys {
  readonly etag: string;
}

/** What to do with the entities. */
interface Change<Item extends Found> {
  /** Whether it needs all properties, as the client returns them. */
  readonly readsWhole: boolean;
  /** Undefined leaves the entity as it is. */
  readonly itemOf: (entity: Found) => Item | undefined;
  readonly changeOne: (item: Item) => Promise<unknown>;
  readonly changeAll: (items: readonly Item[]) => Promise<unknown>;
}

interface PageOfFound {
  readonly entities: readonly Found[];
  readonly answer: Answer;
}

interface Counts {
  found: number;
  changed: number;
  refused: number;
}

type Bounds = Pick<
  UpdateEntitiesOptions<unknown>,
  'filter' | 'dialect' | 'abortSignal' | 'onRefused'
>;

/** See `TableClient.deleteEntities()`; the options are checked. */
export async function deleteEntities(
  requests: LocalRequests,
  { filter, dialect, abortSignal, onProgress }: DeleteEntitiesOptions,
): Promise<DeleteEntitiesProgress> {
  const progressOf = ({ found, changed }: Counts) => ({ found, deleted: changed });
  const bounds = { filter, dialect, abortSignal };
  const bulk = new BulkChange(requests, deletions(requests), bounds);
  return progressOf(await bulk.run((counts) => onProgress?.(progressOf(counts))));
}

function deletions(requests: LocalRequests): Change<Found> {
  return {
    readsWhole: false,
    itemOf: (entity) => entity,
    changeOne: (one) => requests.delete(one, one.etag, undefined),
    // A delete of `submitTransaction` has no etag.
    changeAll: async (all) => {
      const actions = all.map((one) => ({
        action: ['delete', { ...one }] as TransactionAction,
        operation: deleteOperation(requests.name, one, one.etag),
        rowKey: one.rowKey,
      }));
      try {
        await submitOnce(requests.session, actions, undefined);
      } catch (error) {
        throw requests.explained(error, {});
      }
    },
  };
}

/** See `TableClient.updateEntities()`; the options are checked. */
export async function updateEntities(
  requests: LocalRequests,
  set: PropertiesToSet,
  options: Omit<UpdateEntitiesOptions<unknown>, 'set'>,
): Promise<UpdateEntitiesProgress> {
  const { filter, dialect, abortSignal, onRefused, onProgress } = options;
  const progressOf = ({ changed, ...others }: Counts) => ({ updated: changed, ...others });
  const bounds = { filter, dialect, abortSignal, onRefused };
  const bulk = new BulkChange(requests, updates(requests, set), bounds);
  return progressOf(await bulk.run((counts) => onProgress?.(progressOf(counts))));
}

interface Update extends Found {
  readonly part: GivenKeys;
}

function updates(requests: LocalRequests, set: PropertiesToSet): Change<Update> {
  const isFunction = typeof set === 'function';
  const partOf = isFunction ? (set as SetFunction) : () => set;
  return {
    readsWhole: isFunction,
    itemOf: (entity) => {
      // Read first, because the function may change its argument.
      const { partitionKey, rowKey, etag } = entity;
      const part = partOf(entity);
      if (part === undefined) return undefined;
      return { partitionKey, rowKey, etag, part: partFor({ partitionKey, rowKey }, part) };
    },
    changeOne: ({ part, etag }) => requests.update(part, 'Merge', etag, undefined),
    changeAll: (all) => {
      const actions = all.map(({ part, etag }) => ['update', part, 'Merge', { etag }]);
      return requests.submit(actions as TransactionAction[], false, undefined);
    },
  };
}

// JavaScript may return any value.
function partFor({ partitionKey, rowKey }: EntityKeys, part: GivenKeys): GivenKeys {
  if (!isObject(part) || Array.isArray(part) || hasMethod(part, 'then')) {
    throw invalidInput(`The set of updateEntities returns properties, not ${shown(part)}.`);
  }
  const { partitionKey: partition = partitionKey, rowKey: row = rowKey } = part;
  if (partition === partitionKey && row === rowKey) return { ...part, partitionKey, rowKey };
  throw invalidInput('The set of updateEntities changes a key. Keys cannot be changed.');
}

// A rule of the table or of the service, that another entity may keep.
const isRefusal = (error: unknown): error is TableError =>
  isTableError(error) &&
  ([400, 413].includes(error.statusCode) || error.code === 'SchemaVersionTooNew');

// Somebody changed or deleted the entity since it was read.
const hasChanged = (error: unknown) =>
  isTableError(error) && ['UpdateConditionNotSatisfied', 'ResourceNotFound'].includes(error.code);

// The transaction failed for one of its entities, or for the sum of their sizes.
const mayHoldForOthers = (error: unknown) =>
  isTableError(error) &&
  (error.details.operationIndex !== undefined || error.code === 'RequestBodyTooLarge');

// How often the entities of a transaction are read again. Others rarely change one of them twice
// between a read and the write that follows.
const MAX_ROUNDS = 100;
const OFTEN_CHANGED =
  `Somebody changed an entity ${MAX_ROUNDS} times, each time between its read and the change. The ` +
  'function set must not write to the table itself.';

const KEYS = ['partitionKey', 'rowKey'];

class BulkChange<Item extends Found> {
  readonly #requests: LocalRequests;
  readonly #change: Change<Item>;
  readonly #bounds: Bounds;
  readonly #counts: Counts = { found: 0, changed: 0, refused: 0 };

  constructor(requests: LocalRequests, change: Change<Item>, bounds: Bounds) {
    this.#requests = requests;
    this.#change = change;
    this.#bounds = bounds;
  }

  async run(report: (counts: Counts) => void): Promise<Counts> {
    const { abortSignal } = this.#bounds;
    try {
      await this.#changeAll(report);
      return this.#counts;
    } catch (error) {
      const { changed: stored } = this.#counts;
      if (isTableError(error)) throw remade(error, { stored });
      throw abortSignal?.aborted ? interruption(abortSignal, stored) : error;
    }
  }

  async #changeAll(report: (counts: Counts) => void): Promise<void> {
    const slices = new Slices();
    for await (const entities of this.#pages(this.#bounds.filter)) {
      this.#counts.found += entities.length;
      const groups = groupsOf(this.#itemsOf(entities));
      await allDone(groups.map((group) => this.#changeGroup(group)));
      report(this.#counts);
      await slices.turn();
    }
  }

  /** Changes entities of one partition. */
  async #changeGroup(group: Item[]): Promise<void> {
    const { changeOne, changeAll } = this.#change;
    let rounds = 0;
    for (let items = group; items.length > 0; items = await this.#lookAgain(items)) {
      this.#checkAbort();
      rounds++;
      try {
        await (items.length === 1 ? changeOne(items[0]!) : changeAll(items));
        this.#counts.changed += items.length;
        return;
      } catch (error) {
        if (hasChanged(error) && rounds < MAX_ROUNDS) continue;
        if (hasChanged(error)) throw remade(error as TableError, { sentence: OFTEN_CHANGED });
        if (items.length === 1) return this.#refuse(error);
        if (!mayHoldForOthers(error)) throw error;
      }
      return await allDone(items.map((item) => this.#changeGroup([item])));
    }
  }

  #refuse(error: unknown): void {
    const { onRefused } = this.#bounds;
    if (!onRefused || !isRefusal(error)) throw error;
    this.#counts.refused++;
    onRefused(error);
  }

  /** Those that are still there and fit the filter, as they are now. */
  async #lookAgain(items: readonly Item[]): Promise<Item[]> {
    const rowKeys = new Set(items.map(({ rowKey }) => rowKey));
    const [{ partitionKey, rowKey: first }, { rowKey: last }] = [items[0]!, items.at(-1)!];
    const keys = odata`PartitionKey eq ${partitionKey} and RowKey ge ${first} and RowKey le ${last}`;
    const found: Found[] = [];
    for await (const entities of this.#pages(`(${this.#bounds.filter}) and ${keys}`)) {
      found.push(...entities.filter(({ rowKey }) => rowKeys.has(rowKey)));
    }
    return this.#itemsOf(found);
  }

  #itemsOf(entities: readonly Found[]): Item[] {
    return entities.map(this.#change.itemOf).filter((item) => item !== undefined);
  }

  // The first page is fresh: it has the writes of every account.
  async *#pages(filter: string): AsyncGenerator<readonly Found[], void> {
    const select = this.#change.readsWhole ? undefined : KEYS;
    const { dialect } = this.#bounds;
    let query = queryOperation(this.#requests.name, { filter, dialect, select, fresh: true });
    for (let position: PagePosition | undefined = {}; position;) {
      this.#checkAbort();
      const page: PageOfFound = await this.#read({ ...query, ...position });
      if (page.entities.length > 0) yield page.entities;
      position = positionOf(page.answer);
      query = { ...query, fresh: false };
    }
  }

  async #read(query: Operation): Promise<PageOfFound> {
    const { filter, abortSignal } = this.#bounds;
    try {
      if (this.#change.readsWhole) return await this.#requests.read<Found>(query, abortSignal);
      // The rows of a declared table need more than their keys.
      let entities: object[] = [];
      const readBody = (body: Uint8Array) => (entities = readEntities(body));
      const answer = await this.#requests.session.request(query, abortSignal, readBody);
      return { entities: entities as Found[], answer };
    } catch (error) {
      throw this.#requests.explained(error, { filter });
    }
  }

  #checkAbort(): void {
    const { abortSignal } = this.#bounds;
    if (abortSignal?.aborted) throw abortError(abortSignal);
  }
}

// An error is thrown when everything else has ended, so that the counts are final.
async function allDone(changes: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(changes);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

// Consecutive entities of one partition, as many as a transaction can have.
function groupsOf<Item extends Found>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    const fits = last && last.length < MAX_TRANSACTION_PARTS;
    if (fits && last[0]!.partitionKey === item.partitionKey) last.push(item);
    else groups.push([item]);
  }
  return groups;
}
