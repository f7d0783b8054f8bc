/**
 * The declared tables of a remote account. It is loaded when an account first opens tables.
 *
 * @module
 */

import { MAX_PAGE_RESULTS } from '../base/limits.js';
import { loaded } from '../base/loaded.js';
import { paged, toPage, type PagedAsyncIterableIterator } from '../client/paging.js';
import { rowRequests } from '../client/row-requests.js';
import { checkedTables } from '../client/table-arguments.js';
import type { TableEntityResult } from '../entity/entities.js';
import type {
  CountTableEntitiesOptions,
  ListTableEntitiesOptions,
  TableEntityOrderOptions,
  TableEntityResultPage,
} from '../entity/models.js';
import { queryOperation } from '../entity/operations.js';
import type { TableProperties } from '../schema/rows.js';
import type { TableDefinition } from '../schema/table-definition.js';
import { CommonTable } from '../tables/common-table.js';
import type { TableTypes } from '../tables/models.js';
import { queryOf, SERVICE_KINDS, type GivenOptions, type Query } from '../tables/queries.js';
import type { RowsRequests } from '../tables/requests.js';
import { rowFormOf } from '../tables/row-form.js';
import type { ImportEntitiesOptions, ImportProgress, ImportSource } from '../transfer/models.js';
import type { Validator } from '../validation/validator.js';
import type { DeclaredTables } from '../tables/table.js';
import { RemoteRequests } from './requests.js';
import { serviceFilter } from './service-filter.js';
import type { RemoteSession } from './session.js';

/** The types of a declared table, whose filters have what the service has. */
interface OfService<T extends TableTypes> extends TableTypes {
  readonly row: T['row'];
  readonly input: T['input'];
  readonly key: T['key'];
  readonly where: T['serviceWhere'];
  readonly serviceWhere: T['serviceWhere'];
}

/** The remote table of a declaration: `RemoteTableOf<typeof tasks>`. */
export type RemoteTableOf<Definition> = Definition extends {
  readonly '~table'?: infer T extends TableTypes | undefined;
}
  ? RemoteTable<OfService<NonNullable<T>>>
  : never;

/** Remote tables, under the names that the app has for them. */
export type RemoteTables<Tables> = { readonly [Name in keyof Tables]: RemoteTableOf<Tables[Name]> };

/**
 * A declared table of a remote account, from `openTables()`. It has the methods of a local table
 * that the service has. Every read is fresh. Errors have the codes of the service, and those of
 * `RemoteTableClient`.
 *
 * @typeParam T - the types of its rows: `RemoteTableOf<typeof tasks>` is the type of a table.
 */
export class RemoteTable<T extends TableTypes = TableTypes> extends CommonTable<T> {
  /** @internal */
  override get kinds() {
    return SERVICE_KINDS;
  }

  /** @internal */
  override queryOf(given: GivenOptions, limit?: number): Query {
    const { where, ...others } = given;
    const filter = serviceFilter(this.names.filterOf(where));
    return { ...queryOf(this.names, others, limit), filter, dialect: undefined };
  }
}

/**
 * Opens tables.
 *
 * @internal
 * @throws {@link TableError} `InvalidInput`, if they are not from `defineTable`.
 */
export function openedTables(
  session: RemoteSession,
  validator: Validator | undefined,
  declared: DeclaredTables,
): Readonly<Record<string, RemoteTable>> {
  const opened = Object.entries(checkedTables('openTables', declared)).map(([name, definition]) => {
    const Requests = rowRequests(RequestsOfRows, definition);
    const form = rowFormOf(definition as TableDefinition<TableProperties>, validator);
    const requests = new Requests(session, validator, definition.tableName, form);
    return [name, new RemoteTable(requests as unknown as RowsRequests)];
  });
  return Object.fromEntries(opened) as Record<string, RemoteTable>;
}

/** The requests of a declared table, before they take and return rows. */
class RequestsOfRows extends RemoteRequests {
  // The service has the size of a page, and no other limit.
  override list<T extends object>(
    options: ListTableEntitiesOptions & TableEntityOrderOptions,
  ): PagedAsyncIterableIterator<TableEntityResult<T>, TableEntityResultPage<T>> {
    const { top, ...query } = options;
    const found = super.list<T>(query);
    if (top === undefined) return found;
    let left = top;
    const pages = found.byPage(top > 0 && top < MAX_PAGE_RESULTS ? { maxPageSize: top } : {});
    return paged(async () => {
      const next = left > 0 ? await pages.next() : undefined;
      const page = (next?.value ?? []) as TableEntityResultPage<T>;
      const { continuationToken } = page;
      const taken: TableEntityResultPage<T> = page.slice(0, left);
      left -= taken.length;
      return left > 0 && continuationToken ? Object.assign(taken, { continuationToken }) : taken;
    });
  }

  async count({ filter, abortSignal }: CountTableEntitiesOptions): Promise<number> {
    const operation = queryOperation(this.name, { filter, select: ['partitionKey'] });
    const pages = paged(
      async (request) => {
        const page = { ...operation, ...request };
        const { entities, answer } = await this.readStored(page, abortSignal);
        return toPage(entities, answer);
      },
      (error) => this.explained(error, { filter }),
    );
    let count = 0;
    for await (const page of pages.byPage()) count += page.length;
    return count;
  }

  async import(rows: ImportSource, options: ImportEntitiesOptions): Promise<ImportProgress> {
    const { insertMany } = await loaded(import('./insert-many.js'), { stored: 0 });
    // eslint-disable-next-line entitable/arguments-before-await -- the import reads it
    return await insertMany(this, rows as Iterable<object> | AsyncIterable<object>, options);
  }
}
