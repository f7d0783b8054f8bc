/**
 * An opened account, and its tables.
 *
 * @module
 */

import type { OperationOptions } from '../base/call-options.js';
import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { loaded } from '../base/loaded.js';
import { checkedOptions, checkedSettings } from '../base/options.js';
import type { MaybeAsyncDisposable } from '../base/platform.js';
import { shown } from '../base/shown.js';
import type { AccountSession } from '../core/account-session.js';
import type { StatusListener } from '../storage/page-storage.js';
import type { Validator } from '../validation/validator.js';
import { explained } from './failures.js';
import type {
  ListTableItemsOptions,
  ServiceProperties,
  ServiceStatistics,
  TableItem,
  TableItemResultPage,
} from './models.js';
import { OPTIONS } from './option-kinds.js';
import { paged, toPage, type PagedAsyncIterableIterator } from './paging.js';
import { TableClient } from './table-client.js';
import { createTable, deleteTable } from './table-operations.js';

// Node and Bun call a method of this name to print an object.
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** `await using` calls {@link TableServiceClient.close}. */
export interface TableServiceClient extends MaybeAsyncDisposable {}

/**
 * An account, from `openAccount()`. It has the methods of `TableServiceClient` in the official
 * client. Its calls may reject with the errors of every call of {@link TableClient}.
 */
export class TableServiceClient {
  /** @internal For scripts that are loaded on their own, and for the HTTP front end. */
  readonly session: AccountSession;

  /** Checks entities, names and keys with the profile of the account, and stores nothing. */
  readonly validator: Validator;

  /** @internal */
  constructor(session: AccountSession, validator: Validator) {
    this.session = session;
    this.validator = validator;
    // Some runtimes do not have the symbol, or only after a polyfill.
    const { asyncDispose } = Symbol as { asyncDispose?: symbol };
    if (asyncDispose) Object.defineProperty(this, asyncDispose, { value: () => this.close() });
  }

  /** Whether the account runs in a worker, as the option `worker` of `openAccount` asks for. */
  get isInWorker(): boolean {
    return this.session.isInWorker;
  }

  /**
   * Creates a table, unless it exists.
   *
   * @throws {@link TableError} `InvalidResourceName`, `OutOfRangeInput` or `InvalidInput`,
   * if the name breaks a rule.
   */
  async createTable(name: string, options?: OperationOptions): Promise<void> {
    const { abortSignal } = checkedOptions('createTable', options, OPTIONS.operation);
    await createTable(this.session, this.validator, checkedName(name), abortSignal);
  }

  /**
   * Deletes a table with all its entities, if it exists.
   *
   * @throws {@link TableError} `InvalidInput`, if the name is not well-formed text.
   */
  async deleteTable(name: string, options?: OperationOptions): Promise<void> {
    const { abortSignal } = checkedOptions('deleteTable', options, OPTIONS.operation);
    await deleteTable(this.session, checkedName(name), abortSignal);
  }

  /**
   * Returns the tables whose `TableName` fits a filter, ordered by name, a page at a time.
   *
   * @throws {@link TableError} `InvalidInput`, if an option is unknown; from the iteration:
   * `InvalidInput` or `NotImplemented`, if the filter, the page size or the token is wrong.
   */
  listTables(
    options?: ListTableItemsOptions,
  ): PagedAsyncIterableIterator<TableItem, TableItemResultPage> {
    const checked = checkedOptions('listTables', options, OPTIONS.count);
    const { queryOptions, fresh, abortSignal } = checked;
    const operation = { kind: 'queryTables', filter: queryOptions?.filter, fresh } as const;
    const { filter } = operation;
    return paged(
      async (request) => {
        const answer = await this.session.request({ ...operation, ...request }, abortSignal);
        const { value } = JSON.parse(answer.body!) as { value: { TableName: string }[] };
        return toPage<TableItem>(
          value.map(({ TableName: name }) => ({ name })),
          answer,
        );
      },
      (error) => explained(error, { filter }),
    );
  }

  /**
   * Returns the properties of the service. A property that was never set has its default.
   *
   * @throws {@link TableError} `AccountClosed`, and the errors of every call.
   */
  async getProperties(options?: OperationOptions): Promise<ServiceProperties> {
    const { abortSignal } = checkedOptions('getProperties', options, OPTIONS.operation);
    try {
      const { getProperties } = await loaded(import('./settings.js'));
      return await getProperties(this.session, abortSignal);
    } catch (error) {
      throw explained(error, {});
    }
  }

  /**
   * Sets properties of the service. A property that is missing stays as it is. Only the rules for
   * pages of other origins have an effect, on the answers of `entitable/http`.
   *
   * @throws {@link TableError} `InvalidXmlDocument`, the service's name for properties that break a
   * rule.
   */
  async setProperties(properties: ServiceProperties, options?: OperationOptions): Promise<void> {
    const { abortSignal } = checkedOptions('setProperties', options, OPTIONS.operation);
    if (!isObject(properties)) {
      throw invalidInput(`The properties of the service are an object, not ${shown(properties)}.`);
    }
    const copy = checkedSettings('setProperties', properties, OPTIONS.properties);
    try {
      const { setProperties } = await loaded(import('./settings.js'));
      await setProperties(this.session, copy, abortSignal);
    } catch (error) {
      throw explained(error, {});
    }
  }

  /**
   * Reports that the copy in another region is up to date: there is only one copy.
   *
   * @throws {@link TableError} `AccountClosed`, and the errors of every call.
   */
  async getStatistics(options?: OperationOptions): Promise<ServiceStatistics> {
    const { abortSignal } = checkedOptions('getStatistics', options, OPTIONS.operation);
    try {
      const { getStatistics } = await loaded(import('./settings.js'));
      return await getStatistics(this.session, abortSignal);
    } catch (error) {
      throw explained(error, {});
    }
  }

  /**
   * Returns the client of a table, which need not exist yet.
   *
   * @throws {@link TableError} `InvalidInput`, if the name is no string.
   */
  tableClient(name: string): TableClient {
    return new TableClient(this.session, this.validator, checkedName(name));
  }

  /**
   * Reports events that no call caused. Each call of the listener is a microtask.
   *
   * @returns a function that removes the listener.
   * @throws {@link TableError} `InvalidInput`, if it is not a function.
   */
  onStatus(listener: StatusListener): () => void {
    if (typeof listener !== 'function') {
      throw invalidInput(`The listener of onStatus must be a function, not ${shown(listener)}.`);
    }
    return this.session.onStatus(listener);
  }

  /**
   * Waits for requests that were begun, and frees the memory of the account. All other calls, and
   * all later ones, are rejected with `AccountClosed`. May be called again.
   *
   * @throws {@link TableError} `StorageUnavailable`, with the cause, if the storage cannot be
   * closed; the account is closed all the same.
   */
  async close(): Promise<void> {
    try {
      await this.session.close();
    } catch (error) {
      throw explained(error, {});
    }
  }

  /**
   * What `console.log(account)` prints in Node and Bun.
   *
   * @internal
   */
  [INSPECT](
    _depth: number,
    options: object,
    inspect: (value: object, options: object) => string,
  ): string {
    const { account: name, storageKind: storage, isOpen } = this.session;
    return `TableServiceClient ${inspect({ name, storage, isOpen }, options)}`;
  }
}

function checkedName(name: unknown): string {
  if (typeof name === 'string') return name;
  throw invalidInput(`The name of a table must be a string, not ${shown(name)}.`);
}
