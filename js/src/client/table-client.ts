/**
 * One table, and the entities in it.
 *
 * @module
 */

import type { OperationOptions } from '../base/call-options.js';
import { checkedOptions, checkedSettings } from '../base/options.js';
import type { ByteStream } from '../base/platform.js';
import type { AccountSession } from '../core/account-session.js';
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
  TableEntityResult,
  TableEntityResultPage,
  TableTransactionResponse,
  TransactionAction,
  UpdateMode,
  UpdateTableEntityOptions,
  WritableTableEntity,
  WriteEntityResponse,
} from '../entity/models.js';
import { ANY_ETAG } from '../entity/operations.js';
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
 * A table of an account, from `account.tableClient(name)`. It has the methods of `TableClient` in
 * the official client.
 *
 * Every call may reject with `AccountClosed`, `ModuleAborted`, `ServerBusy`, `StorageUnavailable`
 * or `StorageDamaged`; every write also with `StorageQuotaExceeded` or `StorageOutcomeUnknown`. If
 * its `abortSignal` fires, a call is rejected with a DOMException named `AbortError`. A failed
 * write changes nothing, unless its code is `StorageOutcomeUnknown`.
 */
export class TableClient {
  readonly #session: AccountSession;
  readonly #validator: Validator;
  readonly #requests: TableRequests;
  readonly tableName: string;

  /** @internal */
  constructor(session: AccountSession, validator: Validator, tableName: string) {
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
   * A number is stored as Int32 if it fits, else as Double; a bigint as Int64, a Date as DateTime,
   * a Uint8Array as Binary. `{ type, value }` names any type. Members that are undefined or null
   * are left out. `-0` is 0, as in the service. `etag` and `timestamp` from an earlier read are
   * ignored. A property of your own named `etag`, `timestamp`, `partitionKey` or `rowKey` has a
   * dollar sign before its name here: `$etag`.
   *
   * @throws {@link TableError} `EntityAlreadyExists`; `TableNotFound`; `PropertiesNeedValue`,
   * if a key is missing; `InvalidInput`, `OutOfRangeInput`, `PropertyNameInvalid`,
   * `PropertyNameTooLong`, `PropertyValueTooLarge`, `TooManyProperties`, `EntityTooLarge`,
   * `DuplicatePropertiesSpecified` or `RequestBodyTooLarge`, if the entity breaks a rule.
   */
  async createEntity<T extends object>(
    entity: WritableTableEntity<T>,
    options?: OperationOptions,
  ): Promise<WriteEntityResponse> {
    const { abortSignal } = checkedOptions('createEntity', options, OPTIONS.operation);
    return await this.#requests.insert(entity, abortSignal);
  }

  /**
   * Returns an entity.
   *
   * A bigint is an Int64, a Date a DateTime, a Uint8Array a Binary. Other values come back as `{
   * type, value }`: a Guid, a DateTime with digits beyond milliseconds, and a Double that looks
   * like an Int32. A property that another client stored as `etag`, `timestamp`, `partitionKey` or
   * `rowKey` comes back as `$etag`, `$timestamp`, `$partitionKey` or `$rowKey`.
   *
   * @throws {@link TableError} `ResourceNotFound`; `TableNotFound`; `PropertiesNeedValue`, if a key
   * is missing; `InvalidInput`, if a key has a character that no address can have, or a selected
   * name is not valid.
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
   * `TableNotFound`; `InvalidInput` or `NotImplemented`, if the filter, the selection, the page
   * size or the token is wrong.
   */
  listEntities<T extends object = Record<string, unknown>>(
    options?: ListTableEntitiesOptions,
  ): PagedAsyncIterableIterator<TableEntityResult<T>, TableEntityResultPage<T>> {
    const checked = checkedOptions('listEntities', options, OPTIONS.query);
    return this.#requests.list(checked);
  }

  /**
   * Counts the entities that fit a filter, or all entities. Beyond the service. It creates no
   * entities in JavaScript, and the zone map of a page often answers for the whole page.
   *
   * @throws {@link TableError} `TableNotFound`; `InvalidInput` or `NotImplemented`, if the filter
   * is wrong.
   */
  async countEntities(options?: CountTableEntitiesOptions): Promise<number> {
    const { count } = await this.#requests.explain(
      checkedOptions('countEntities', options, OPTIONS.count),
    );
    return count;
  }

  /**
   * Counts the entities that fit a filter, and reports how the store found them. Beyond the
   * service.
   *
   * @throws {@link TableError} `TableNotFound`; `InvalidInput` or `NotImplemented`, if the filter
   * is wrong.
   */
  async explain(options?: CountTableEntitiesOptions): Promise<QueryPlan> {
    return await this.#requests.explain(checkedOptions('explain', options, OPTIONS.count));
  }

  /**
   * Updates an entity that exists; by default with `Merge`, and whatever its etag is.
   *
   * @throws {@link TableError} `ResourceNotFound`; `TableNotFound`; `UpdateConditionNotSatisfied`,
   * if the entity has another etag; `InvalidInput`, if the etag or the mode is not valid; and the
   * errors of {@link TableClient.createEntity} for its rules.
   */
  async updateEntity<T extends object>(
    entity: WritableTableEntity<T>,
    mode: UpdateMode = 'Merge',
    options?: UpdateTableEntityOptions,
  ): Promise<WriteEntityResponse> {
    const checked = checkedOptions('updateEntity', options, OPTIONS.update);
    const { etag = ANY_ETAG, abortSignal } = checked;
    return await this.#requests.update(entity, mode, etag, abortSignal);
  }

  /**
   * Inserts an entity, or updates the existing one; by default with `Merge`.
   *
   * @throws {@link TableError} `TableNotFound`; `InvalidInput`, if the mode is not valid; and the
   * errors of {@link TableClient.createEntity} for its rules.
   */
  async upsertEntity<T extends object>(
    entity: WritableTableEntity<T>,
    mode: UpdateMode = 'Merge',
    options?: OperationOptions,
  ): Promise<WriteEntityResponse> {
    const { abortSignal } = checkedOptions('upsertEntity', options, OPTIONS.operation);
    return await this.#requests.update(entity, mode, undefined, abortSignal);
  }

  /**
   * Deletes an entity; by default whatever its etag is.
   *
   * @throws {@link TableError} `ResourceNotFound`; `TableNotFound`; `UpdateConditionNotSatisfied`,
   * if the entity has another etag; `PropertiesNeedValue`, if a key is missing; `InvalidInput`, if
   * the etag is not valid; `InvalidInput` or `OutOfRangeInput`, if a key has characters that no key
   * can have.
   */
  async deleteEntity(
    partitionKey: string,
    rowKey: string,
    options?: DeleteTableEntityOptions,
  ): Promise<DeleteTableEntityResponse> {
    checkKeyArguments('deleteEntity', partitionKey, rowKey);
    const { etag, abortSignal } = checkedOptions('deleteEntity', options, OPTIONS.update);
    return await this.#requests.delete({ partitionKey, rowKey }, etag, abortSignal);
  }

  /**
   * Returns the stored access policies of the table, in the order of the last `setAccessPolicy`.
   *
   * @throws {@link TableError} `TableNotFound`.
   */
  async getAccessPolicy(options?: OperationOptions): Promise<SignedIdentifier[]> {
    const { abortSignal } = checkedOptions('getAccessPolicy', options, OPTIONS.operation);
    return await this.#requests.getPolicies(abortSignal);
  }

  /**
   * Replaces the stored access policies of the table; up to five.
   *
   * @throws {@link TableError} `TableNotFound`; `InvalidXmlDocument`, the service's name for a
   * policy that breaks a rule.
   */
  async setAccessPolicy(tableAcl: SignedIdentifier[], options?: OperationOptions): Promise<void> {
    const { abortSignal } = checkedOptions('setAccessPolicy', options, OPTIONS.operation);
    const given = { tableAcl: tableAcl ?? null };
    const { tableAcl: policies } = checkedSettings('setAccessPolicy', given, OPTIONS.policies);
    await this.#requests.setPolicies(policies, abortSignal);
  }

  /**
   * Carries out up to 100 actions on entities of one partition, all or none.
   *
   * @throws {@link TableError} with the code of the first action that failed, see
   * {@link TableClient.createEntity}, {@link TableClient.updateEntity} and
   * {@link TableClient.deleteEntity}. `details.operationIndex` has its index, and the message
   * begins with it. Other codes: `CommandsInBatchActOnDifferentPartitions`; `InvalidDuplicateRow`;
   * `RequestBodyTooLarge`; `InvalidInput`, if there are too many actions. With `split`, the signal
   * rejects the call with a DOMException. It has the reason as its cause, and its member `stored`
   * has the number of stored actions.
   */
  async submitTransaction(
    actions: TransactionAction[],
    options?: SubmitTransactionOptions,
  ): Promise<TableTransactionResponse> {
    const checked = checkedOptions('submitTransaction', options, OPTIONS.transaction);
    return await this.#requests.submit(actions, checked.split, checked.abortSignal);
  }

  /**
   * Loads any number of entities, much faster than one by one. Its memory does not grow with their
   * number. Beyond the service.
   *
   * Each entity is checked as in `createEntity`. Entities are stored in steps. Each step is stored
   * as a whole and has one timestamp; other writes come between steps. The stored entities are
   * always the first ones of the source. If an entity is at fault, all before it are stored, and
   * none after it. If the storage fails, the call is aborted or the source throws, the steps up to
   * then are stored. In the error, `details.stored` has the number of stored entities, and
   * `details.entityIndex` the index of the entity at fault. An error of the source stays as it is.
   * The source is read while the import runs: do not change its arrays and bytes until then.
   *
   * @returns how many entities were stored: all.
   * @throws {@link TableError} `EntityAlreadyExists`, unless the mode updates; `TableNotFound`;
   * `InvalidInput`, if the mode is not valid, or the source has something else than entities; and
   * the errors of {@link TableClient.createEntity} for its rules.
   */
  async importEntities(
    source: ImportSource,
    options?: ImportEntitiesOptions,
  ): Promise<ImportProgress> {
    const checked = checkedOptions('importEntities', options, OPTIONS.import);
    return await this.#requests.import(source, checked);
  }

  /**
   * Returns the entities that fit a filter as OData JSON in UTF-8. `importEntities` makes equal
   * entities of it, with new timestamps and etags. The table is read as fast as the stream is.
   * Beyond the service.
   *
   * @throws {@link TableError} `InvalidInput`, if an option is unknown; from the stream:
   * `TableNotFound`; `InvalidInput` or `NotImplemented`, if the filter or the selection is wrong.
   */
  exportEntities(options?: ExportEntitiesOptions): ByteStream {
    const checked = checkedOptions('exportEntities', options, OPTIONS.export);
    return this.#requests.export(checked);
  }

  /**
   * Reports how commits change the entities that fit a filter, in this tab or another. Changes that
   * became known together are one call. Beyond the service.
   *
   * The first call reports that the subscription has begun (`reset`). Later calls report the
   * changes since the call before. Only keys and etags are in memory.
   *
   * It ends when its signal fires, when the account is closed, and when it fails: with the errors
   * of `listEntities`, or with `TableNotFound` because the table was deleted. A failure calls
   * `onError`; without `onError`, it is an unhandled rejection.
   *
   * @example
   * ```ts
   * const unsubscribe = table.subscribe({ filter: odata`PartitionKey eq 'dogs'` }, (changes) => {
   *   for (const entity of changes.inserted) console.log('new:', entity.rowKey);
   * });
   * ```
   * @returns a function that ends the subscription.
   * @throws {@link TableError} `InvalidInput`, if an option is unknown or the listener is not a
   * function.
   */
  subscribe<T extends object = Record<string, unknown>>(
    options: LiveEntitiesOptions,
    listener: (changes: TableEntityChanges<T>) => void,
  ): () => void {
    const checked = checkedOptions('subscribe', options, OPTIONS.live);
    return subscribeTo(this.#requests, checked, listener);
  }

  /**
   * Returns the entities that fit a filter as a live result: it follows all writes, in this tab or
   * another. It has the forms of async iterables, React, Svelte and observables; see
   * {@link LiveEntities}. Beyond the service.
   *
   * It fails with the errors of `listEntities`, and with `TableNotFound` when the table is deleted.
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
