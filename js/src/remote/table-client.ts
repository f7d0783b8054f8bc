/**
 * The client of one table of a remote account.
 *
 * @module
 */

import type { OperationOptions } from '../base/call-options.js';
import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { checkedOptions, OPERATION_OPTIONS } from '../base/options.js';
import { entityOptionKinds } from '../client/entity-option-kinds.js';
import { createTable, deleteTable } from '../client/table-operations.js';
import { ANY_ETAG } from '../entity/any-etag.js';
import { checkKeyArguments, type GivenKeys } from '../entity/keys.js';
import type {
  GetTableEntityOptions,
  ListTableEntitiesOptions,
  SubmitTransactionOptions,
  TableEntityOrderOptions,
  UpdateMode,
  UpdateTableEntityOptions,
} from '../entity/models.js';
import type { Transaction } from '../entity/operations.js';
import type { RemoteRequests } from './requests.js';

const { methods: OPTIONS } = entityOptionKinds();

/** The methods of `RemoteTableClient`, which has the types. */
export class ClientOfTable {
  readonly tableName: string;
  readonly #requests: RemoteRequests;

  constructor(requests: RemoteRequests) {
    this.tableName = requests.name;
    this.#requests = requests;
  }

  /** Vue makes no proxy of it, which could not read private members. */
  get __v_skip(): boolean {
    return true;
  }

  async createTable(options?: OperationOptions) {
    const { abortSignal } = checkedOptions('createTable', options, OPERATION_OPTIONS);
    const { session, validator } = this.#requests;
    await createTable(session, validator, this.tableName, abortSignal);
  }

  async deleteTable(options?: OperationOptions) {
    const { abortSignal } = checkedOptions('deleteTable', options, OPERATION_OPTIONS);
    await deleteTable(this.#requests.session, this.tableName, abortSignal);
  }

  async createEntity(entity: object, options?: OperationOptions) {
    const { abortSignal } = checkedOptions('createEntity', options, OPERATION_OPTIONS);
    return await this.#requests.insert(entity, abortSignal);
  }

  async getEntity(partitionKey: string, rowKey: string, options?: GetTableEntityOptions) {
    checkKeyArguments('getEntity', partitionKey, rowKey);
    const checked = checkedOptions('getEntity', options, OPTIONS.get);
    return await this.#requests.get({ partitionKey, rowKey }, checked);
  }

  listEntities(options?: ListTableEntitiesOptions) {
    refuseLocalOptions(options);
    return this.#requests.list(checkedOptions('listEntities', options, OPTIONS.query));
  }

  async updateEntity(
    entity: GivenKeys,
    mode: UpdateMode = 'Merge',
    options?: UpdateTableEntityOptions,
  ) {
    const { etag = ANY_ETAG, abortSignal } = checkedOptions(
      'updateEntity',
      options,
      OPTIONS.update,
    );
    return await this.#requests.update(entity, mode, etag, abortSignal);
  }

  async upsertEntity(entity: GivenKeys, mode: UpdateMode = 'Merge', options?: OperationOptions) {
    const { abortSignal } = checkedOptions('upsertEntity', options, OPERATION_OPTIONS);
    return await this.#requests.update(entity, mode, undefined, abortSignal);
  }

  async deleteEntity(partitionKey: string, rowKey: string, options?: UpdateTableEntityOptions) {
    checkKeyArguments('deleteEntity', partitionKey, rowKey);
    const { etag, abortSignal } = checkedOptions('deleteEntity', options, OPTIONS.update);
    return await this.#requests.delete({ partitionKey, rowKey }, etag, abortSignal);
  }

  async submitTransaction(transaction: Transaction, options?: SubmitTransactionOptions) {
    const { split, abortSignal } = checkedOptions(
      'submitTransaction',
      options,
      OPTIONS.transaction,
    );
    return await this.#requests.submit(transaction, split, abortSignal);
  }
}

const LOCAL_OPTIONS = [
  'dialect',
  'orderBy',
  'top',
  'skip',
] as const satisfies readonly (keyof TableEntityOrderOptions)[];

// The type of the options has none of these names. But the compiler accepts them when an app
// spreads the result of `whereExtended` into the options.
function refuseLocalOptions(options: unknown): void {
  const name = isObject(options) && LOCAL_OPTIONS.find((one) => Object.hasOwn(options, one));
  if (!name) return;
  throw invalidInput(
    `listEntities of a remote account has no option ${name}, because the service has no such ` +
      'queries. Only the tables of openAccount() have it.',
  );
}
