/**
 * Inserts any number of rows into a table of a remote account, as transactions of up to 100 rows of
 * one partition. It is loaded at its first use.
 *
 * @module
 */

import { abortError, interruption, invalidInput, isTableError, remade } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { MAX_BODY_BYTES, MAX_TRANSACTION_PARTS } from '../base/limits.js';
import { shown } from '../base/shown.js';
import type { Operation } from '../core/frames.js';
import type { GivenKeys } from '../entity/keys.js';
import { insertOperation } from '../entity/operations.js';
import type { ImportEntitiesOptions, ImportProgress } from '../transfer/models.js';
import type { RemoteRequests } from './requests.js';

// How many rows, and units of text, wait until others of their partitions come.
const MAX_WAITING = 1000;
const MAX_WAITING_UNITS = 8 * MAX_BODY_BYTES;
// The parts of a request have heads, and their texts take up to three bytes a unit.
const MAX_GROUP_UNITS = MAX_BODY_BYTES / 4;

/** Rows of one partition, which are sent together. */
interface Group {
  readonly parts: Operation[];
  readonly entities: GivenKeys[];
  /** The places of the rows in the source. */
  readonly places: number[];
  units: number;
}

/** Inserts rows. If one breaks the definition, all before it are stored. */
export async function insertMany(
  requests: RemoteRequests,
  source: Iterable<object> | AsyncIterable<object>,
  options: ImportEntitiesOptions,
): Promise<ImportProgress> {
  const { abortSignal } = options;
  const inserts = new Inserts(requests, options);
  try {
    for await (const row of rowsOf(source)) await inserts.add(row);
    await inserts.sendAll();
    return inserts.progress;
  } catch (error) {
    const { stored } = inserts.progress;
    if (isTableError(error)) throw remade(error, { stored });
    throw abortSignal?.aborted ? interruption(abortSignal, stored) : error;
  }
}

function rowsOf(source: Iterable<object> | AsyncIterable<object>) {
  if (isObject(source) && (Symbol.asyncIterator in source || Symbol.iterator in source)) {
    return source;
  }
  throw invalidInput(`The rows of insertMany are an array, say, not ${shown(source)}.`);
}

class Inserts {
  readonly #requests: RemoteRequests;
  readonly #options: ImportEntitiesOptions;
  readonly #groups = new Map<unknown, Group>();
  #read = 0;
  #stored = 0;
  #units = 0;

  constructor(requests: RemoteRequests, options: ImportEntitiesOptions) {
    this.#requests = requests;
    this.#options = options;
  }

  get progress(): ImportProgress {
    return { read: this.#read, stored: this.#stored };
  }

  async add(row: object): Promise<void> {
    const place = this.#read++;
    const { entity, operation } = await this.#insertOf({ ...row }, place);
    const units = operation.body!.length;
    const group = await this.#groupFor(entity, units);
    group.parts.push(operation);
    group.entities.push(entity);
    group.places.push(place);
    group.units += units;
    this.#units += units;
    const waiting = this.#read - this.#stored;
    if (waiting >= MAX_WAITING || this.#units > MAX_WAITING_UNITS) await this.sendAll();
  }

  async #insertOf(row: object, place: number) {
    const { name, rows } = this.#requests;
    try {
      const entity: GivenKeys = await rows!.stored(row, false);
      this.#requests.check(entity, false);
      return { entity, operation: insertOperation(name, entity) };
    } catch (error) {
      await this.sendAll();
      const explained = this.#requests.explained(error, { entity: row });
      throw isTableError(explained) ? remade(explained, { entityIndex: place }) : explained;
    }
  }

  async sendAll(): Promise<void> {
    for (const partition of [...this.#groups.keys()]) await this.#send(partition);
  }

  // A transaction has no row twice.
  async #groupFor({ partitionKey: partition, rowKey }: GivenKeys, units: number): Promise<Group> {
    const open = this.#groups.get(partition);
    const fits =
      open &&
      open.parts.length < MAX_TRANSACTION_PARTS &&
      open.units + units <= MAX_GROUP_UNITS &&
      !open.entities.some((one) => one.rowKey === rowKey);
    if (fits) return open;
    if (open) await this.#send(partition);
    const group: Group = { parts: [], entities: [], places: [], units: 0 };
    this.#groups.set(partition, group);
    return group;
  }

  async #send(partition: unknown): Promise<void> {
    const { abortSignal, onProgress } = this.#options;
    if (abortSignal?.aborted) throw abortError(abortSignal);
    const { parts, entities, places, units } = this.#groups.get(partition)!;
    this.#groups.delete(partition);
    this.#units -= units;
    try {
      await this.#requests.session.request({ kind: 'transaction', parts }, abortSignal);
    } catch (error) {
      const index = isTableError(error) ? error.details.operationIndex : undefined;
      const at = index ?? 0;
      const explained = this.#requests.explained(error, { entity: entities[at]! });
      throw isTableError(explained) && index !== undefined
        ? remade(explained, { entityIndex: places[at]!, operationIndex: undefined })
        : explained;
    }
    this.#stored += parts.length;
    onProgress?.(this.progress);
  }
}
