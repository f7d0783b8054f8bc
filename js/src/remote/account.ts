/**
 * An account behind the REST API of the service.
 *
 * @module
 */

import type { OperationOptions } from '../base/call-options.js';
import { isObject } from '../base/kinds.js';
import { loaded } from '../base/loaded.js';
import { checkedOptions, OPERATION_OPTIONS, type KindsOf } from '../base/options.js';
import type { ListTableItemsOptions, TableItem, TableItemResultPage } from '../client/models.js';
import { paged, toPage, type PagedAsyncIterableIterator } from '../client/paging.js';
import { checkedName } from '../client/table-arguments.js';
import { createTable, deleteTable } from '../client/table-operations.js';
import type { Validator } from '../validation/validator.js';
import type { DeclaredTables } from '../tables/table.js';
import type { RemoteAccountOptions, RemoteTableClient } from './models.js';
import { openRemote } from './open.js';
import { RemoteRequests } from './requests.js';
import { RemoteSession } from './session.js';
import { ClientOfTable } from './table-client.js';
import type { RemoteTables } from './tables.js';

const FILTER = { filter: 'string' } as const;
const LIST = {
  ...OPERATION_OPTIONS,
  fresh: 'boolean',
  ...FILTER,
  queryOptions: FILTER,
} as const satisfies KindsOf<ListTableItemsOptions>;

/**
 * Returns a client of an account behind the REST API: of Azure Storage, Azure Cosmos DB for Table,
 * the emulator, or `entitable/http`. It makes no request before the first call.
 *
 * @example
 * ```ts
 * const account = remoteAccount({
 *   url: 'https://contoso.table.core.windows.net',
 *   sas: async () => (await fetch('/table-signature')).text(),
 * });
 * const pets = account.tableClient('Pets');
 * ```
 * @throws {@link TableError} `InvalidInput`, if an option is unknown, missing or wrong, there is
 * more than one credential, or a token would be sent without encryption.
 */
export function remoteAccount(options: RemoteAccountOptions): RemoteAccount {
  const { transport, retries, validator } = openRemote('remoteAccount', options);
  return new RemoteAccount(new RemoteSession(transport, retries), validator);
}

/** An account behind the REST API, from `remoteAccount()`. */
export class RemoteAccount {
  readonly #session: RemoteSession;
  readonly #validator: Validator | undefined;

  /** @internal */
  constructor(session: RemoteSession, validator: Validator | undefined) {
    this.#session = session;
    this.#validator = validator;
  }

  /** @internal Vue makes no proxy of it, which could not read private members. */
  get __v_skip(): boolean {
    return true;
  }

  /**
   * Creates a table, unless it exists.
   *
   * @throws {@link TableError} with the code of the service, and those of `RemoteTableClient`.
   */
  async createTable(name: string, options?: OperationOptions): Promise<void> {
    const { abortSignal } = checkedOptions('createTable', options, OPERATION_OPTIONS);
    await createTable(this.#session, this.#validator, checkedName(name), abortSignal);
  }

  /**
   * Deletes a table with all its entities, if it exists. The service may need a minute until the
   * name is free again: `TableBeingDeleted`.
   *
   * @throws {@link TableError} with the code of the service, and those of `RemoteTableClient`.
   */
  async deleteTable(name: string, options?: OperationOptions): Promise<void> {
    const { abortSignal } = checkedOptions('deleteTable', options, OPERATION_OPTIONS);
    await deleteTable(this.#session, checkedName(name), abortSignal);
  }

  /**
   * Returns the tables whose `TableName` fits a filter, a page at a time.
   *
   * @throws {@link TableError} `InvalidInput`, if an option is unknown; from the iteration: with
   * the code of the service, and those of `RemoteTableClient`.
   */
  listTables(
    options?: ListTableItemsOptions,
  ): PagedAsyncIterableIterator<TableItem, TableItemResultPage> {
    const { filter, abortSignal } = checkedOptions('listTables', options, LIST);
    return paged(async (request) => {
      let tables: TableItem[] = [];
      const operation = { kind: 'queryTables', filter, ...request } as const;
      const answer = await this.#session.read(operation, abortSignal, (text) => {
        const { value } = JSON.parse(text) as { value: { TableName: string }[] };
        tables = value.map(({ TableName: name }) => ({ name: checkedName(name) }));
      });
      return toPage(tables, answer);
    });
  }

  /**
   * Returns the client of a table, which need not exist yet.
   *
   * @typeParam Row - the properties that each entity has beside its keys. Calls that do not fit it
   * do not compile.
   * @throws {@link TableError} `InvalidInput`, if the name is no string.
   */
  tableClient<Row extends object = Record<string, unknown>>(name: string): RemoteTableClient<Row> {
    const requests = new RemoteRequests(this.#session, this.#validator, checkedName(name));
    return new ClientOfTable(requests) as unknown as RemoteTableClient<Row>;
  }

  /**
   * Opens declared tables, and makes no request. A table that does not exist must be made:
   * `createTable(name)`.
   *
   * @example
   * ```ts
   * const { tasks } = await remote.openTables({ tasks: defineTable('Tasks', …) });
   * ```
   * @returns the tables, under the same names.
   * @throws {@link TableError} `InvalidInput`, if they are not from `defineTable`;
   * `ScriptNotLoaded`.
   */
  async openTables<const Tables extends DeclaredTables>(
    tables: Tables,
  ): Promise<RemoteTables<Tables>> {
    const given = isObject(tables) ? { ...tables } : tables;
    const { openedTables } = await loaded(import('./tables.js'));
    return openedTables(this.#session, this.#validator, given) as RemoteTables<Tables>;
  }
}
