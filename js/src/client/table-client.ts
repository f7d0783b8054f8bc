/**
 * One table, and the entities in it.
 *
 * @module
 */

import type { OperationOptions } from '../base/call-options.js';
import { invalidInput } from '../base/errors.js';
import { checkedOptions, checkedSettings } from '../base/options.js';
import type { ByteStream } from '../base/platform.js';
import { shown } from '../base/shown.js';
import type { Session } from '../core/session.js';
import { checkKeyArguments } from '../entity/keys.js';
import type {
  CountTableEntitiesOptions,
  DeleteTableEntityOptions,
  DeleteTableEntityResponse,
  GetTableEntityOptions,
  GetTableEntityResponse,
  ListTableEntitiesOptions,
  QueryPlan,
  SubmitTransactionOptions,
  TableEntity,
  TableEntityResult,
  TableEntityResultPage,
  TableTransactionResponse,
  TransactionAction,
  UpdateMode,
  UpdateTableEntityOptions,
  WriteEntityResponse,
} from '../entity/models.js';
import {
  ANY_ETAG,
  deleteOperation,
  insertOperation,
  preparedActions,
  updateOperation,
} from '../entity/operations.js';
import type { LiveEntities } from '../live/live-entities.js';
import type { LiveEntitiesOptions, TableEntityChanges } from '../live/models.js';
import { liveEntitiesOf, subscribeTo } from '../live/subscribe.js';
import type {
  ExportEntitiesOptions,
  ImportEntitiesOptions,
  ImportProgress,
  ImportSource,
} from '../transfer/models.js';
import type { Validator } from '../validation/validator.js';
import type { SignedIdentifier } from './models.js';
import { OPTIONS } from './option-kinds.js';
import type { PagedAsyncIterableIterator } from './paging.js';
import { createTable, deleteTable } from './table-operations.js';
import { TableRequests } from './table-requests.js';

/**
 * A table of an account, from `account.tableClient(name)`. The methods are those of
 * the official client's `TableClient`.
 *
 * Beside the codes that each method names, every call may reject with `AccountClosed`,
 * `ModuleAborted`, `ServerBusy`, `StorageUnavailable` or `StorageDamaged`, every write also with
 * `StorageQuotaExceeded` or `StorageOutcomeUnknown`, and a call whose `abortSignal`
 * fired with a DOMException named `AbortError`. A write that failed changed nothing,
 * unless its code is `StorageOutcomeUnknown`.
 */
export class TableClient {
  readonly #session: Session;
  readonly #validator: Validator;
  readonly #requests: TableRequests;
  readonly tableName: string;

  /** @internal */
  constructor(session: Session, validator: Validator, tableName: string) {
    this.#session = session;
    this.#validator = validator;
    this.#requests = new TableRequests(session, validator, tableName);
    this.tableName = tableName;
  }

  /**
   * Creates the table, unless it exists.
   *
   * @throws {@link TableError} `InvalidResourceName`, `OutOfRangeInput` or `InvalidInput`,
   * if the name breaks a rule.
   */
  async createTable(options?: OperationOptions): Promise<void> {
    const { abortSignal } = checkedOptions('createTable', options, OPTIONS.operation);
    await createTable(this.#session, this.#validator, this.tableName, abortSignal);
  }

  /**
   * Deletes the table with all its entities, if it exists.
   *
   * @throws {@link TableError} `InvalidInput`, if the name is not well-formed text.
   */
  async deleteTable(options?: OperationOptions): Promise<void> {
    const { abortSignal } = checkedOptions('deleteTable', options, OPTIONS.operation);
    await deleteTable(this.#session, this.tableName, abortSignal);
  }

  /**
   * Inserts an entity.
   *
   * Numbers are stored as Int32 if they can be, else as Double; a bigint as Int64, a
   * Date as DateTime, a Uint8Array as Binary; `{ type, value }` names any type. What is
   * undefined or null is left out, and `-0` is 0, as for the service. `etag` and `timestamp`, as an earlier read returned
   * them, are ignored; properties of one's own that are stored under one of the names
   * `etag`, `timestamp`, `partitionKey` and `rowKey` have a dollar sign before it: `$etag`.
   *
   * @throws {@link TableError} `EntityAlreadyExists`; `TableNotFound`; `PropertiesNeedValue`,
   * if a key is missing; `InvalidInput`, `OutOfRangeInput`, `PropertyNameInvalid`,
   * `PropertyNameTooLong`, `PropertyValueTooLarge`, `TooManyProperties`, `EntityTooLarge`,
   * `DuplicatePropertiesSpecified` or `RequestBodyTooLarge`, if the entity breaks a rule.
   */
  async createEntity<T extends object>(
    entity: TableEntity<T>,
    options?: OperationOptions,
  ): Promise<WriteEntityResponse> {
    const { abortSignal } = checkedOptions('createEntity', options, OPTIONS.operation);
    return await this.#requests.write(
      entity,
      (given) => insertOperation(this.tableName, given),
      abortSignal,
    );
  }

  /**
   * Returns an entity.
   *
   * A bigint is an Int64, a Date a DateTime, a Uint8Array a Binary. What these, or a
   * number, cannot hold comes back as `{ type, value }`: a Guid, a DateTime with more than
   * milliseconds, and a Double that a number would turn into an Int32. A property that is stored
   * as `etag`, `timestamp`, `partitionKey` or `rowKey`, which another client may do, comes back as
   * `$etag`, `$timestamp`, `$partitionKey` or `$rowKey`.
   *
   * @throws {@link TableError} `ResourceNotFound`; `TableNotFound`; `PropertiesNeedValue`, if a
   * key is missing; `InvalidInput`, if a key has characters that no address can have, or a
   * name that is selected is none.
   */
  async getEntity<T extends object = Record<string, unknown>>(
    partitionKey: string,
    rowKey: string,
    options?: GetTableEntityOptions,
  ): Promise<GetTableEntityResponse<TableEntityResult<T>>> {
    checkKeyArguments('getEntity', partitionKey, rowKey);
    const checked = checkedOptions('getEntity', options, OPTIONS.get);
    const entity = { partitionKey, rowKey };
    return await this.#requests.get(entity, checked);
  }

  /**
   * Returns the entities that fit a filter, ordered by their keys, a page at a time.
   *
   * @throws {@link TableError} `InvalidInput`, if an option is unknown; from the iteration:
   * `TableNotFound`; `InvalidInput` or `NotImplemented`, if the filter, the selection, the page size
   * or the token is wrong.
   */
  listEntities<T extends object = Record<string, unknown>>(
    options?: ListTableEntitiesOptions,
  ): PagedAsyncIterableIterator<TableEntityResult<T>, TableEntityResultPage<T>> {
    const checked = checkedOptions('listEntities', options, OPTIONS.query);
    return this.#requests.list(checked);
  }

  /**
   * Counts the entities that fit a filter, or all. Beyond the service, which would have to list
   * them: here none is made, however many there are, and what a page notes of its values often
   * answers for all of it.
   *
   * @throws {@link TableError} `TableNotFound`; `InvalidInput` or `NotImplemented`, if the filter is
   * wrong.
   */
  async countEntities(options?: CountTableEntitiesOptions): Promise<number> {
    const { count } = await this.#requests.explain(
      checkedOptions('countEntities', options, OPTIONS.count),
    );
    return count;
  }

  /**
   * Counts the entities that fit a filter, and tells what it took to find them. Beyond the
   * service.
   *
   * @throws {@link TableError} `TableNotFound`; `InvalidInput` or `NotImplemented`, if the filter is
   * wrong.
   */
  async explain(options?: CountTableEntitiesOptions): Promise<QueryPlan> {
    return await this.#requests.explain(checkedOptions('explain', options, OPTIONS.count));
  }

  /**
   * Updates an entity that exists; by default with `Merge`, whatever its etag.
   *
   * @throws {@link TableError} `ResourceNotFound`; `TableNotFound`; `UpdateConditionNotSatisfied`, if
   * the entity has another etag; `InvalidInput`, if the etag or the mode is none; and what
   * {@link TableClient.createEntity} says of its rules.
   */
  async updateEntity<T extends object>(
    entity: TableEntity<T>,
    mode: UpdateMode = 'Merge',
    options?: UpdateTableEntityOptions,
  ): Promise<WriteEntityResponse> {
    const checked = checkedOptions('updateEntity', options, OPTIONS.update);
    const { etag = ANY_ETAG, abortSignal } = checked;
    const operationOf = (given: TableEntity<T>) =>
      updateOperation(this.tableName, given, mode, etag);
    return await this.#requests.write(entity, operationOf, abortSignal);
  }

  /**
   * Inserts an entity, or updates the one that is there; by default with `Merge`.
   *
   * @throws {@link TableError} `TableNotFound`; `InvalidInput`, if the mode is none; and what
   * {@link TableClient.createEntity} says of its rules.
   */
  async upsertEntity<T extends object>(
    entity: TableEntity<T>,
    mode: UpdateMode = 'Merge',
    options?: OperationOptions,
  ): Promise<WriteEntityResponse> {
    const { abortSignal } = checkedOptions('upsertEntity', options, OPTIONS.operation);
    const operationOf = (given: TableEntity<T>) => updateOperation(this.tableName, given, mode);
    return await this.#requests.write(entity, operationOf, abortSignal);
  }

  /**
   * Deletes an entity; by default whatever its etag.
   *
   * @throws {@link TableError} `ResourceNotFound`; `TableNotFound`;
   * `UpdateConditionNotSatisfied`, if the entity has another etag; `PropertiesNeedValue`, if a
   * key is missing; `InvalidInput`, if the etag is none, and it or `OutOfRangeInput`, if a key has
   * characters that no key can have.
   */
  async deleteEntity(
    partitionKey: string,
    rowKey: string,
    options?: DeleteTableEntityOptions,
  ): Promise<DeleteTableEntityResponse> {
    checkKeyArguments('deleteEntity', partitionKey, rowKey);
    const { etag, abortSignal } = checkedOptions('deleteEntity', options, OPTIONS.update);
    const operationOf = (keys: TableEntity) => deleteOperation(this.tableName, keys, etag);
    return await this.#requests.write({ partitionKey, rowKey }, operationOf, abortSignal);
  }

  /**
   * Returns the stored access policies of the table, in the order in which they were set.
   *
   * @throws {@link TableError} `TableNotFound`.
   */
  async getAccessPolicy(options?: OperationOptions): Promise<SignedIdentifier[]> {
    const { abortSignal } = checkedOptions('getAccessPolicy', options, OPTIONS.operation);
    return await this.#requests.getPolicies(abortSignal);
  }

  /**
   * Sets the stored access policies of the table, up to five: those that there were are gone.
   *
   * @throws {@link TableError} `TableNotFound`; `InvalidXmlDocument`, the service's name for a policy
   * that breaks a rule.
   */
  async setAccessPolicy(tableAcl: SignedIdentifier[], options?: OperationOptions): Promise<void> {
    const { abortSignal } = checkedOptions('setAccessPolicy', options, OPTIONS.operation);
    const given = { tableAcl: tableAcl ?? null };
    const { tableAcl: policies } = checkedSettings('setAccessPolicy', given, OPTIONS.policies);
    const nameless = policies.findIndex(({ id }) => id === undefined);
    if (nameless >= 0) {
      throw invalidInput(
        `The option tableAcl[${nameless}].id of setAccessPolicy must be a string.`,
      );
    }
    await this.#requests.setPolicies(policies, abortSignal);
  }

  /**
   * Carries out up to 100 actions on entities of one partition, all or none.
   *
   * @throws {@link TableError} under the code of the first action that failed, as
   * {@link TableClient.createEntity}, {@link TableClient.updateEntity} and
   * {@link TableClient.deleteEntity} name them: its index is `details.operationIndex`, and the message
   * begins with it; `CommandsInBatchActOnDifferentPartitions`; `InvalidDuplicateRow`;
   * `RequestBodyTooLarge`; `InvalidInput`, if there are too many. With `split`, a call that its signal
   * ends is rejected with a DOMException that has the reason as its cause, and says in a member
   * `stored` how many actions are stored.
   */
  async submitTransaction(
    actions: TransactionAction[],
    options?: SubmitTransactionOptions,
  ): Promise<TableTransactionResponse> {
    const { split, abortSignal } = checkedOptions(
      'submitTransaction',
      options,
      OPTIONS.transaction,
    );
    const prepared = preparedActions(this.tableName, actions);
    const subResponses = await this.#requests.submit(prepared, split, abortSignal);
    return {
      status: 202,
      subResponses,
      getResponseForEntity: (rowKey) => subResponses.find((response) => response.rowKey === rowKey),
    };
  }

  /**
   * Loads any number of entities, much faster than one by one, in memory that does not grow with
   * them. Beyond the service.
   *
   * Each entity is checked as `createEntity` does. They are stored in steps, each as a whole and
   * with one timestamp; other writes get their turn between steps. What is stored is always the
   * first entities of the source: if one is at fault, all before it are stored and none after it.
   * If the storage fails, the call is aborted or the source throws, it is what the steps up to
   * then stored. `details.stored` of the error says how many entities are, `details.entityIndex`
   * which one is at fault; what the source throws is handed on as it is. The source is read while
   * the import runs: leave arrays and bytes as they are until then.
   *
   * @returns how many entities were stored: all.
   * @throws {@link TableError} `EntityAlreadyExists`, unless it updates; `TableNotFound`;
   * `InvalidInput`, if the mode is none, or the source is or ends in something else than
   * entities; and what {@link TableClient.createEntity} says of its rules.
   */
  async importEntities(
    source: ImportSource,
    options?: ImportEntitiesOptions,
  ): Promise<ImportProgress> {
    const checked = checkedOptions('importEntities', options, OPTIONS.import);
    return await this.#requests.import(source, checked);
  }

  /**
   * Returns the entities that fit a filter as OData JSON, in UTF-8, which `importEntities` takes
   * back: equal but for timestamps and etags. They are read as fast as the stream is. Beyond the
   * service.
   *
   * @throws {@link TableError} `InvalidInput`, if an option is unknown; from the stream:
   * `TableNotFound`; `InvalidInput` or `NotImplemented`, if the filter or the selection is wrong.
   */
  exportEntities(options?: ExportEntitiesOptions): ByteStream {
    const checked = checkedOptions('exportEntities', options, OPTIONS.export);
    return this.#requests.export(checked);
  }

  /**
   * Tells what commits do to the entities that fit a filter, in this tab or
   * another: one call for all that became known together. Beyond the service.
   *
   * The first call says that it has begun (`reset`); from there on, each change is told against
   * what the entities were then. Only their keys and etags are kept in memory.
   *
   * It ends when its signal fires or the account is closed; and when it fails, as `listEntities`
   * may, or with `TableNotFound` because the table is deleted: then `onError` is called, or, without
   * that, it is an unhandled rejection.
   *
   * @example
   * ```ts
   * const unsubscribe = table.subscribe({ filter: odata`PartitionKey eq 'dogs'` }, (changes) => {
   *   for (const entity of changes.inserted) console.log('new:', entity.rowKey);
   * });
   * ```
   * @returns what ends it.
   * @throws {@link TableError} `InvalidInput`, if an option is unknown or the listener no function.
   */
  subscribe<T extends object = Record<string, unknown>>(
    options: LiveEntitiesOptions,
    listener: (changes: TableEntityChanges<T>) => void,
  ): () => void {
    const checked = checkedOptions('subscribe', options, OPTIONS.live);
    if (typeof listener !== 'function') {
      throw invalidInput(`The listener of subscribe must be a function, not ${shown(listener)}.`);
    }
    return subscribeTo(this.#requests, checked, listener);
  }

  /**
   * Returns the entities that fit a filter as a result that follows all writes, in this tab or
   * another: in the forms of async iterables, React, Svelte and observables, as
   * {@link LiveEntities} says. Beyond the service.
   *
   * It fails as `listEntities` does, and with `TableNotFound` when the table is deleted.
   *
   * @throws {@link TableError} `InvalidInput`, if an option is unknown.
   */
  liveEntities<T extends object = Record<string, unknown>>(
    options?: LiveEntitiesOptions,
  ): LiveEntities<T> {
    const checked = checkedOptions('liveEntities', options, OPTIONS.live);
    return liveEntitiesOf(this.#requests, checked);
  }
}
