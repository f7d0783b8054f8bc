/**
 * One table, and the entities in it.
 *
 * @module
 */

import type { OperationOptions } from '../base/call-options.js';
import { checkedOptions, checkedSettings } from '../base/options.js';
import type {
  DeleteEntitiesOptions,
  DeleteEntitiesProgress,
  UpdateEntitiesOptions,
  UpdateEntitiesProgress,
} from '../entity/bulk-changes.js';
import type {
  ChangedProperties,
  EntityToMerge,
  EntityToWrite,
  PropertiesToMerge,
  TableEntityResult,
} from '../entity/entities.js';
import { checkKeyArguments, type GivenKeys } from '../entity/keys.js';
import type {
  DeleteTableEntityOptions,
  DeleteTableEntityResponse,
  SubmitTransactionOptions,
  TableTransactionResponse,
  TransactionAction,
  UpdateMode,
  UpdateTableEntityOptions,
  WriteEntityResponse,
} from '../entity/models.js';
import { ANY_ETAG } from '../entity/any-etag.js';
import type { ImportEntitiesOptions, ImportProgress, ImportSource } from '../transfer/models.js';
import { checkBulkFilter, copyOfSet } from './bulk-arguments.js';
import type { SignedIdentifier } from './models.js';
import { OPTIONS } from './option-kinds.js';
import { createTable, deleteTable } from './table-operations.js';
import { TableReader } from './table-reader.js';
import type { TableTransaction } from './transaction.js';

/**
 * A table of an account, from `account.tableClient(name)`. It has the methods of `TableClient` in
 * the official client.
 *
 * Every call may reject with `AccountClosed`, `ModuleAborted`, `ServerBusy`, `StorageUnavailable`
 * or `StorageDamaged`; every write also with `StorageQuotaExceeded` or `StorageOutcomeUnknown`. If
 * its `abortSignal` fires, a call is rejected with a DOMException named `AbortError`. A failed
 * write changes nothing, unless its code is `StorageOutcomeUnknown`.
 *
 * @typeParam Row - the properties that each entity has beside its keys.
 */
export class TableClient<Row extends object = Record<string, unknown>> extends TableReader<Row> {
  /**
   * Creates the table, unless it exists.
   *
   * @throws {@link TableError} `InvalidResourceName`, `OutOfRangeInput` or `InvalidInput`,
   * if the name breaks a rule.
   */
  async createTable(options?: OperationOptions): Promise<void> {
    const { abortSignal } = checkedOptions('createTable', options, OPTIONS.operation);
    const { session, validator } = this.requests;
    await createTable(session, validator, this.tableName, abortSignal);
  }

  /**
   * Deletes the table with all its entities, if it exists.
   *
   * @throws {@link TableError} `InvalidInput`, if the name is not well-formed text.
   */
  async deleteTable(options?: OperationOptions): Promise<void> {
    const { abortSignal } = checkedOptions('deleteTable', options, OPTIONS.operation);
    await deleteTable(this.requests.session, this.tableName, abortSignal);
  }

  /**
   * Inserts an entity.
   *
   * A number is stored as Int32 if it fits, else as Double. An update keeps the type of a stored
   * Double: 5 stays a Double where 4.5 was stored. A bigint is stored as Int64, a Date as DateTime,
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
  async createEntity<const T extends object = Row>(
    entity: EntityToWrite<T, Row>,
    options?: OperationOptions,
  ): Promise<WriteEntityResponse> {
    const { abortSignal } = checkedOptions('createEntity', options, OPTIONS.operation);
    return await this.requests.insert(entity, abortSignal);
  }

  /**
   * Updates an entity that exists; by default with `Merge`, and whatever its etag is.
   *
   * @throws {@link TableError} `ResourceNotFound`; `TableNotFound`; `UpdateConditionNotSatisfied`,
   * if the entity has another etag; `InvalidInput`, if the etag or the mode is not valid; and the
   * errors of {@link TableClient.createEntity} for its rules.
   */
  updateEntity<const T extends object = Row>(
    entity: EntityToMerge<T, Row>,
    mode?: 'Merge',
    options?: UpdateTableEntityOptions,
  ): Promise<WriteEntityResponse>;
  updateEntity<const T extends object = Row>(
    entity: EntityToWrite<T, Row>,
    mode: UpdateMode,
    options?: UpdateTableEntityOptions,
  ): Promise<WriteEntityResponse>;
  async updateEntity(
    entity: GivenKeys,
    mode: UpdateMode = 'Merge',
    options?: UpdateTableEntityOptions,
  ): Promise<WriteEntityResponse> {
    const checked = checkedOptions('updateEntity', options, OPTIONS.update);
    const { etag = ANY_ETAG, abortSignal } = checked;
    return await this.requests.update(entity, mode, etag, abortSignal);
  }

  /**
   * Inserts an entity, or updates the existing one; by default with `Merge`.
   *
   * @throws {@link TableError} `TableNotFound`; `InvalidInput`, if the mode is not valid; and the
   * errors of {@link TableClient.createEntity} for its rules.
   */
  upsertEntity<const T extends object = Row>(
    entity: EntityToMerge<T, Row>,
    mode?: 'Merge',
    options?: OperationOptions,
  ): Promise<WriteEntityResponse>;
  upsertEntity<const T extends object = Row>(
    entity: EntityToWrite<T, Row>,
    mode: UpdateMode,
    options?: OperationOptions,
  ): Promise<WriteEntityResponse>;
  async upsertEntity(
    entity: GivenKeys,
    mode: UpdateMode = 'Merge',
    options?: OperationOptions,
  ): Promise<WriteEntityResponse> {
    const { abortSignal } = checkedOptions('upsertEntity', options, OPTIONS.operation);
    return await this.requests.update(entity, mode, undefined, abortSignal);
  }

  /**
   * Deletes an entity; by default whatever its etag is.
   *
   * @throws {@link TableError} `ResourceNotFound`; `TableNotFound`; `UpdateConditionNotSatisfied`,
   * if the entity has another etag; `PropertiesNeedValue`, if a key is missing; `InvalidInput`, if
   * the etag is not valid; `InvalidInput` or `OutOfRangeInput`, if a key has invalid characters.
   */
  async deleteEntity(
    partitionKey: string,
    rowKey: string,
    options?: DeleteTableEntityOptions,
  ): Promise<DeleteTableEntityResponse> {
    checkKeyArguments('deleteEntity', partitionKey, rowKey);
    const { etag, abortSignal } = checkedOptions('deleteEntity', options, OPTIONS.update);
    return await this.requests.delete({ partitionKey, rowKey }, etag, abortSignal);
  }

  /**
   * Returns the stored access policies of the table, in the order of the last `setAccessPolicy`.
   *
   * @throws {@link TableError} `TableNotFound`.
   */
  async getAccessPolicy(options?: OperationOptions): Promise<SignedIdentifier[]> {
    const { abortSignal } = checkedOptions('getAccessPolicy', options, OPTIONS.operation);
    return await this.requests.getPolicies(abortSignal);
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
    await this.requests.setPolicies(policies, abortSignal);
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
    transaction: TransactionAction<Row>[] | TableTransaction<Row>,
    options?: SubmitTransactionOptions,
  ): Promise<TableTransactionResponse> {
    const checked = checkedOptions('submitTransaction', options, OPTIONS.transaction);
    return await this.requests.submit(transaction, checked.split, checked.abortSignal);
  }

  /**
   * Deletes all entities that fit a filter, in the order of their keys. Its memory does not grow
   * with their number. Beyond the service.
   *
   * It finds up to 1000 entities and deletes them by one commit, then the next ones. If another
   * writer changes an entity in between, the call reads it again, and deletes it only if it still
   * fits. Entities that are inserted meanwhile may stay.
   *
   * If the call fails or is aborted, the steps before are stored. `details.stored` of the error has
   * the number of deleted entities. The same call again deletes the rest.
   *
   * @example
   * ```ts
   * const { deleted } = await table.deleteEntities({ filter: odata`PartitionKey eq ${'2019'}` });
   * ```
   * @throws {@link TableError} `TableNotFound`; `TableReadOnly`, if only a sync writes to the
   * table; `InvalidInput`, if there is no filter; `InvalidInput` or `NotImplemented`, if it is
   * wrong.
   */
  async deleteEntities(options: DeleteEntitiesOptions): Promise<DeleteEntitiesProgress> {
    const checked = checkedOptions('deleteEntities', options, OPTIONS.deleteAll);
    checkBulkFilter('deleteEntities', checked.filter);
    return await this.requests.deleteAll(checked);
  }

  /**
   * Merges properties into all entities that fit a filter, as {@link TableClient.deleteEntities}
   * deletes them. Beyond the service.
   *
   * `set` may be a function that calculates the new values of the old ones. Then an update has the
   * etag of the entity that was read, and a call that fails may have stored some of the updates of
   * its last step.
   *
   * The same call again, after it failed or was aborted, begins anew. So choose a filter that no
   * longer fits what is done: `not (state eq 'closed')` for `{ state: 'closed' }`.
   *
   * @example
   * ```ts
   * await table.updateEntities({ filter: odata`Owner eq ${'ada'}`, set: { Owner: 'bob' } });
   * ```
   * @throws {@link TableError} `InvalidInput`, `TableNotFound`, `TableReadOnly` or
   * `NotImplemented`, as {@link TableClient.deleteEntities}; without `onRefused`, also the errors
   * of {@link TableClient.updateEntity} for the first entity that is refused. What `set` throws
   * comes as it is.
   */
  updateEntities<const T extends object = Row>(
    options: UpdateEntitiesOptions<
      (entity: TableEntityResult<Row>) => ChangedProperties<T, Row> | undefined
    >,
  ): Promise<UpdateEntitiesProgress>;
  updateEntities<const T extends object = Row>(
    options: UpdateEntitiesOptions<PropertiesToMerge<T, Row>>,
  ): Promise<UpdateEntitiesProgress>;
  async updateEntities(options: UpdateEntitiesOptions<never>): Promise<UpdateEntitiesProgress> {
    const given: UpdateEntitiesOptions<unknown> = options;
    const checked = checkedOptions('updateEntities', given, OPTIONS.updateAll);
    checkBulkFilter('updateEntities', checked.filter);
    return await this.requests.updateAll(copyOfSet(checked.set), checked);
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
    return await this.requests.import(source, checked);
  }
}
