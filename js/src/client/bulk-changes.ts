/**
 * Deletes or updates all entities that fit a filter, a step at a time. It is loaded at its first
 * use.
 *
 * The core finds and changes the entities of a step itself: `ChangeEntities` of
 * `core/include/entitable/operation.h`. It cannot if a change depends on the entity, since a
 * function calculates it, or a declared table upgrades rows or checks their keys. Nor can it go on
 * at an entity that it refuses or that has changed meanwhile. Then this script reads a page, and
 * writes each entity on condition of its etag. These writes share a commit. If an etag is out of
 * date, it reads that entity again, with the filter.
 *
 * A remote account has no such steps. It gets the writes of a page as transactions; if one of these
 * is refused, its entities are written one by one.
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
import { shown } from '../base/shown.js';
import { Slices } from '../base/slices.js';
import type { Answer, Operation } from '../core/frames.js';
import { positionOf, type PagePosition } from '../core/page-position.js';
import { ANY_ETAG } from '../entity/any-etag.js';
import type {
  DeleteEntitiesOptions,
  DeleteEntitiesProgress,
  UpdateEntitiesOptions,
  UpdateEntitiesProgress,
} from '../entity/bulk-changes.js';
import { entityToJson } from '../entity/json.js';
import type { EntityKeys, GivenKeys } from '../entity/keys.js';
import { odata } from '../entity/odata.js';
import { deleteOperation, queryOperation } from '../entity/operations.js';
import { groupsOf, mergeAction } from './bulk-actions.js';
import type { AnyRequests } from './entity-requests.js';

type SetFunction = (entity: object) => object | undefined;

/** What `set` of `updateEntities` may be. */
export type PropertiesToSet = object | SetFunction;

/** An entity as it was read. */
interface Found extends EntityKeys {
  readonly etag: string;
}

/** What to do with the entities. */
interface Change<Item extends Found> {
  /** Returns the change as one step of the core; undefined, if it depends on the entity. */
  readonly stepOf: () => Promise<Operation | undefined>;
  /** Whether `itemOf` needs all properties, as the client returns them. */
  readonly readsWhole: boolean;
  /** Undefined leaves the entity as it is. */
  readonly itemOf: (entity: Found) => Item | undefined;
  readonly changeOne: (item: Item) => Promise<unknown>;
  /** The change as an action of a transaction; undefined, if it takes more than one request. */
  readonly actionOf: (item: Item) => Promise<Operation | undefined>;
}

/** Where a step begins, and whether it must see what other accounts have written. */
type Place = PagePosition & Pick<Operation, 'fresh'>;

interface Page {
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
  requests: AnyRequests,
  options: DeleteEntitiesOptions,
): Promise<DeleteEntitiesProgress> {
  const { onProgress } = options;
  const progressOf = ({ found, changed }: Counts) => ({ found, deleted: changed });
  const change: Change<Found> = {
    stepOf: () => Promise.resolve({ kind: 'deleteMatching', ifMatch: ANY_ETAG }),
    readsWhole: false,
    itemOf: (entity) => entity,
    changeOne: (one) => requests.delete(one, one.etag, undefined),
    actionOf: (one) => Promise.resolve(deleteOperation(requests.name, one, one.etag)),
  };
  const bulk = new BulkChange(requests, change, options);
  return progressOf(await bulk.run((counts) => onProgress?.(progressOf(counts))));
}

/** See `TableClient.updateEntities()`; the options are checked. */
export async function updateEntities(
  requests: AnyRequests,
  set: PropertiesToSet,
  options: Omit<UpdateEntitiesOptions<unknown>, 'set'>,
): Promise<UpdateEntitiesProgress> {
  const { onProgress } = options;
  const progressOf = ({ changed, ...others }: Counts) => ({ updated: changed, ...others });
  const bulk = new BulkChange(requests, updates(requests, set), options);
  return progressOf(await bulk.run((counts) => onProgress?.(progressOf(counts))));
}

interface Update extends Found {
  readonly part: GivenKeys;
}

function updates(requests: AnyRequests, set: PropertiesToSet): Change<Update> {
  const isFunction = typeof set === 'function';
  const partOf = isFunction ? (set as SetFunction) : () => set;
  return {
    stepOf: () => mergeOf(requests, set),
    readsWhole: isFunction,
    itemOf: (entity) => {
      // Read first, because the function may change its argument.
      const { partitionKey, rowKey, etag } = entity;
      const part = partOf(entity);
      if (part === undefined) return undefined;
      return { partitionKey, rowKey, etag, part: partFor({ partitionKey, rowKey }, part) };
    },
    changeOne: ({ part, etag }) => requests.update(part, 'Merge', etag, undefined),
    actionOf: ({ part, etag }) => mergeAction(requests, part, etag),
  };
}

async function mergeOf(
  { rows }: AnyRequests,
  set: PropertiesToSet,
): Promise<Operation | undefined> {
  if (typeof set === 'function' || rows?.readsToMerge) return undefined;
  try {
    const body = entityToJson(rows ? await rows.stored(set, true) : set);
    const schema = rows?.schemaOfStored;
    return { kind: 'mergeMatching', ifMatch: ANY_ETAG, body, keepsDoubles: true, schema };
  } catch {
    // It is refused for each entity that is found.
    return undefined;
  }
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
const hasChanged = (error: unknown): error is TableError =>
  isTableError(error) && ['UpdateConditionNotSatisfied', 'ResourceNotFound'].includes(error.code);

// How often a step is repeated, and an entity read again. Others rarely change one twice between a
// read and the write that follows.
const MAX_ROUNDS = 100;
const OFTEN_CHANGED =
  `Somebody changed an entity ${MAX_ROUNDS} times, each time between its read and the change. The ` +
  'function set must not write to the table itself.';

const KEYS = ['partitionKey', 'rowKey'];

class BulkChange<Item extends Found> {
  readonly #requests: AnyRequests;
  readonly #change: Change<Item>;
  readonly #bounds: Bounds;
  readonly #counts: Counts = { found: 0, changed: 0, refused: 0 };

  constructor(
    requests: AnyRequests,
    change: Change<Item>,
    { filter, dialect, abortSignal, onRefused }: Bounds,
  ) {
    this.#requests = requests;
    this.#change = change;
    this.#bounds = { filter, dialect, abortSignal, onRefused };
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
    const change = this.#requests.takesWholes ? await this.#change.stepOf() : undefined;
    const slices = new Slices();
    // The first step is fresh: it has the writes of every account.
    for (let place: Place | undefined = { fresh: true }; place;) {
      this.#checkAbort();
      const { found } = this.#counts;
      const answer: Answer =
        (change && (await this.#changeInCore(change, place))) ?? (await this.#changePage(place));
      if (this.#counts.found > found) report(this.#counts);
      await slices.turn();
      place = positionOf(answer);
    }
  }

  /**
   * Changes the first entities from a place on by one commit. If somebody has changed the first one
   * since the step has found it, another change of the same entities, say, the step is repeated.
   *
   * @returns undefined, if the core refuses the first entity, or others change it all the time.
   */
  async #changeInCore(change: Operation, place: Place): Promise<Answer | undefined> {
    const { name: table, session } = this.#requests;
    const { filter, dialect } = this.#bounds;
    const operation = { ...change, table, filter, dialect, ...place };
    for (let rounds = 1; rounds <= MAX_ROUNDS; rounds++) {
      this.#checkAbort();
      try {
        const answer = await session.request(operation);
        const changed = Number(answer.body);
        this.#counts.found += changed;
        this.#counts.changed += changed;
        return answer;
      } catch (error) {
        if (isRefusal(error)) return undefined;
        if (!hasChanged(error)) throw this.#requests.explained(error, { filter });
      }
    }
    return undefined;
  }

  async #changePage(place: Place): Promise<Answer> {
    const { entities, answer } = await this.#read(this.#bounds.filter, place);
    this.#counts.found += entities.length;
    const items = entities.map(this.#change.itemOf).filter((item) => item !== undefined);
    const groups = this.#requests.takesWholes ? [items] : groupsOf(items);
    for (const group of groups) await this.#changeGroup(group);
    return answer;
  }

  async #changeGroup(items: readonly Item[]): Promise<void> {
    if (!this.#requests.takesWholes && (await this.#changeTogether(items))) return;
    await allDone(items.map((item) => this.#changeOne(item)));
  }

  /** Changes entities by one transaction, unless one of them is refused or has changed. */
  async #changeTogether(items: readonly Item[]): Promise<boolean> {
    const parts = await Promise.all(items.map(this.#change.actionOf));
    if (!parts.every((part) => part !== undefined)) return false;
    this.#checkAbort();
    try {
      await this.#requests.session.request({ kind: 'transaction', parts });
      this.#counts.changed += items.length;
      return true;
    } catch (error) {
      if (hasChanged(error) || isRefusal(error)) return false;
      throw this.#requests.explained(error, {});
    }
  }

  async #changeOne(given: Item): Promise<void> {
    let item: Item | undefined = given;
    for (let rounds = 1; item; rounds++) {
      this.#checkAbort();
      try {
        await this.#change.changeOne(item);
        this.#counts.changed++;
        return;
      } catch (error) {
        if (!hasChanged(error)) return this.#refuse(error);
        if (rounds === MAX_ROUNDS) throw remade(error, { sentence: OFTEN_CHANGED });
      }
      item = await this.#lookAgain(item);
    }
  }

  #refuse(error: unknown): void {
    const { onRefused } = this.#bounds;
    if (!onRefused || !isRefusal(error)) throw error;
    this.#counts.refused++;
    onRefused(error);
  }

  /** The entity as it is now, if it is still there and fits the filter. */
  async #lookAgain({ partitionKey, rowKey }: Item): Promise<Item | undefined> {
    const keys = odata`PartitionKey eq ${partitionKey} and RowKey eq ${rowKey}`;
    const page = await this.#read(`(${this.#bounds.filter}) and ${keys}`, { fresh: true });
    const [entity] = page.entities;
    return entity && this.#change.itemOf(entity);
  }

  async #read(filter: string, place: Place): Promise<Page> {
    const { dialect, abortSignal } = this.#bounds;
    const select = this.#change.readsWhole ? undefined : KEYS;
    const query = { ...queryOperation(this.#requests.name, { filter, dialect, select }), ...place };
    try {
      if (this.#change.readsWhole) return await this.#requests.read<Found>(query, abortSignal);
      // The rows of a declared table need more than their keys.
      return await this.#requests.readStored<Found>(query, abortSignal);
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
