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
import { shown } from '../base/shown.js';
import type { EnforcedSchema } from '../entity/enforced-schema.js';
import type {
  TableIndexes,
  UpdateIndexesOptions,
  UpdateIndexesProgress,
} from '../entity/indexes.js';
import type { CountTableEntitiesOptions } from '../entity/models.js';
import type { TableDefinition } from '../schema/table-definition.js';
import { explained } from './failures.js';
import type {
  InvalidEntity,
  ListTableItemsOptions,
  ServiceProperties,
  ServiceStatistics,
  TableItem,
  TableItemResultPage,
} from './models.js';
import { OpenedAccount } from './opened-account.js';
import { OPTIONS } from './option-kinds.js';
import { paged, toPage, type PagedAsyncIterableIterator } from './paging.js';
import { aboutTable, checkedDefinition, checkedName, checkedIndexes } from './table-arguments.js';
import { TableClient } from './table-client.js';
import { createTable, deleteTable } from './table-operations.js';
import { TableRequests } from './table-requests.js';

/**
 * An account, from `openAccount()`. It has the methods of `TableServiceClient` in the official
 * client. Its calls may reject with the errors of every call of {@link TableClient}.
 */
export class TableServiceClient<Tables = Record<never, never>> extends OpenedAccount<Tables> {
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
    const checked = checkedOptions('listTables', options, OPTIONS.tables);
    const { filter, fresh, abortSignal } = checked;
    const operation = { kind: 'queryTables', filter, fresh } as const;
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
   * @typeParam Row - the properties that each entity has beside its keys. Calls that do not fit it
   * do not compile.
   * @throws {@link TableError} `InvalidInput`, if the name is no string.
   */
  tableClient<Row extends object = Record<string, unknown>>(name: string): TableClient<Row> {
    return new TableClient(new TableRequests(this.session, this.validator, checkedName(name)));
  }

  /**
   * Makes the store refuse every write that breaks the definition, of any writer: other clients,
   * HTTP, imports. Patterns and checks are left out, because only the tables of the app run them.
   * Of the fields of keys, the store checks the `enum` of a field that is a whole key. Stored
   * entities stay as they are: {@link TableServiceClient.listIssues} finds those that break the
   * definition. A later call replaces it.
   *
   * @throws {@link TableError} `TableNotFound`; `InvalidInput`, if it is not a table from
   * `defineTable`.
   */
  async enforce(definition: TableDefinition, options?: OperationOptions): Promise<void> {
    const { abortSignal } = checkedOptions('enforce', options, OPTIONS.operation);
    const { tableName, enforced } = checkedDefinition(definition);
    await this.#setSchema(tableName, enforced, abortSignal);
  }

  /**
   * Ends what {@link TableServiceClient.enforce} began, if it began.
   *
   * @throws {@link TableError} `TableNotFound`.
   */
  async stopEnforcing(name: string, options?: OperationOptions): Promise<void> {
    const { abortSignal } = checkedOptions('stopEnforcing', options, OPTIONS.operation);
    await this.#setSchema(checkedName(name), undefined, abortSignal);
  }

  /**
   * Removes indexes that are no longer declared, and builds new ones in steps. Other reads and
   * writes go on meanwhile. Queries use an index when it is complete. Call it at every start: it
   * continues where it stopped, and changes nothing if all indexes are complete.
   *
   * @throws {@link TableError} `TableNotFound`; `InvalidInput`, for an unknown option or an invalid
   * index; `UpdateConditionNotSatisfied`, if another account has declared other indexes meanwhile.
   */
  async updateIndexes(
    definition: TableDefinition | TableIndexes,
    options?: UpdateIndexesOptions,
  ): Promise<UpdateIndexesProgress> {
    const checked = checkedOptions('updateIndexes', options, OPTIONS.indexes);
    const declared = checkedIndexes(definition);
    const { updateIndexes } = await loaded(import('./indexes.js'));
    return await updateIndexes(this.session, declared, checked);
  }

  /**
   * Returns what every writer of a table is held to; undefined, if nothing is enforced. It is the
   * newest state, also if another account has just changed it.
   *
   * @throws {@link TableError} `TableNotFound`; `StorageVersionNewer`, if a newer version of this
   * package stored it.
   */
  async enforcedSchema(
    name: string,
    options?: OperationOptions,
  ): Promise<EnforcedSchema | undefined> {
    const { abortSignal } = checkedOptions('enforcedSchema', options, OPTIONS.operation);
    const table = checkedName(name);
    return await aboutTable(table, async () => {
      const { enforcedSchema } = await loaded(import('./enforcement.js'));
      return await enforcedSchema(this.session, table, { fresh: true, abortSignal });
    });
  }

  /**
   * Returns the stored entities that break a definition, ordered by their keys, with everything
   * that is wrong with each: what {@link TableServiceClient.enforce} would refuse, and what only
   * the app itself checks, such as patterns. The definition need not be enforced. Entities are read
   * a page at a time, and checked as they are stored. Nothing is changed.
   *
   * @example
   * ```ts
   * for await (const { rowKey, issues } of account.listIssues(pets)) {
   *   console.log(rowKey, issues.map(({ message }) => message));
   * }
   * ```
   * @throws {@link TableError} `InvalidInput`, if an option is unknown, or it is not a table from
   * `defineTable`; from the iteration: `TableNotFound`; `InvalidInput` or `NotImplemented`, if the
   * filter is wrong.
   */
  listIssues(
    definition: TableDefinition,
    options?: CountTableEntitiesOptions,
  ): AsyncIterableIterator<InvalidEntity> {
    const checked = checkedOptions('listIssues', options, OPTIONS.count);
    const table = checkedDefinition(definition);
    const requests = new TableRequests(this.session, this.validator, table.tableName);
    async function* found(): AsyncGenerator<InvalidEntity, void> {
      const { invalidEntities } = await loaded(import('./list-issues.js'));
      yield* invalidEntities(requests, table, checked);
    }
    return found();
  }

  async #setSchema(
    table: string,
    schema: Uint8Array | undefined,
    abortSignal: OperationOptions['abortSignal'],
  ): Promise<void> {
    const operation = { kind: 'setTableSchema', table, schema } as const;
    await aboutTable(table, () => this.session.request(operation, abortSignal));
  }
}
