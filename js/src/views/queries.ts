/**
 * The views of an account. Components with the same query share one view.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { shown } from '../base/shown.js';
import type { TableClient } from '../client/table-client.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import type { DeclaredTable } from '../client/typed-table.js';
import type { TableEntityResult } from '../entity/entities.js';
import { odata } from '../entity/odata.js';
import type { RowForm } from '../entity/row-form.js';
import type { StoreStatus } from '../storage/page-storage.js';
import type { AccountSource, CountOptions, EntitiesOptions, TableSource } from './models.js';
import { View, type Follow, type Views, type ViewState } from './view.js';

const accountViews = /* @__PURE__ */ new WeakMap<object, View<TableServiceClient>>();
const viewsOf = /* @__PURE__ */ new WeakMap<object, Views>();
// Of each form of rows, and of the identities of definitions.
const formNumbers = /* @__PURE__ */ new WeakMap<object, number>();
const identities: string[] = [];

/**
 * The view of an account that may still be opened.
 *
 * @param source - null, if no account was provided.
 */
export function accountView(source: AccountSource | null): View<TableServiceClient> | undefined {
  if (source === null) {
    throw new Error('Provide an account first, or pass the client of a table instead of its name.');
  }
  if (!source) return undefined;
  let view = accountViews.get(source);
  if (!view) accountViews.set(source, (view = viewOfAccount(source)));
  return view;
}

function viewOfAccount(source: NonNullable<AccountSource>): View<TableServiceClient> {
  const end = () => undefined;
  if ('tableClient' in source) {
    return new View(() => end, undefined, { value: source, isLoaded: true, isStale: false });
  }
  return new View((report, fail) => {
    source.then(report, fail);
    return end;
  });
}

/** Whether the table is a client. A client knows its account, so no account must be provided. */
export function isClient<Row extends object>(table: TableSource<Row>): table is TableClient<Row> {
  return typeof table !== 'string' && 'requests' in table;
}

/** The client of a table; undefined while there is no account that has it. */
export function clientOf<Row extends object>(
  table: TableSource<Row>,
  account: TableServiceClient | undefined,
): TableClient<Row> | undefined {
  if (isClient(table)) return table;
  return typeof table === 'string'
    ? account?.tableClient<Row>(table)
    : (account?.table(table as DeclaredTable<Row, object>) as TableClient<Row> | undefined);
}

/** The view of the entities that match a filter. */
export function entitiesView<Row extends object>(
  table: TableClient<Row>,
  options: EntitiesOptions,
): View<readonly TableEntityResult<Row>[]> {
  return tableView(table, 'entities', options, true, () => {
    const live = (table as TableClient).liveEntities(options);
    return (report, fail) =>
      live.subscribe({
        next: (entities) => report(entities as readonly TableEntityResult<Row>[]),
        error: fail,
      });
  });
}

/**
 * The view of one entity.
 *
 * @param hook - what the component calls, for messages.
 * @throws {@link TableError} `InvalidInput`, if a key is missing or no string.
 */
export function entityView<Row extends object>(
  table: TableClient<Row>,
  partitionKey: string,
  rowKey: string,
  hook = 'useEntity',
): View<TableEntityResult<Row> | undefined> {
  for (const [name, key] of Object.entries({ partitionKey, rowKey }) as [string, unknown][]) {
    if (typeof key === 'string') continue;
    throw invalidInput(`The argument ${name} of ${hook} must be a string, not ${shown(key)}.`);
  }
  const filter = odata`PartitionKey eq ${partitionKey} and RowKey eq ${rowKey}`;
  return tableView(table, 'entity', filter, false, () => {
    const live = table.liveEntities<Row>({ filter });
    return (report, fail) => live.subscribe({ next: ([entity]) => report(entity), error: fail });
  });
}

/** The view of the number of entities that match a filter. */
export function countView<Row extends object>(
  table: TableClient<Row>,
  { filter, dialect }: CountOptions,
): View<number> {
  return tableView(table, 'count', [filter, dialect], true, () => {
    const live = table.liveCount({ filter, dialect });
    return (report, fail) => live.subscribe({ next: report, error: fail });
  });
}

/** The view of the last event of the storage, see `onStatus()`. */
export function statusView(account: TableServiceClient): View<StoreStatus> {
  return shared(account.session, 'status', '', () => (report) => account.onStatus(report));
}

function tableView<R>(
  table: Pick<TableClient, 'requests' | 'tableName'>,
  kind: string,
  query: unknown,
  keepsPrevious: boolean,
  open: () => Follow<R>,
): View<R> {
  const { session, rows } = table.requests;
  const family = JSON.stringify([kind, table.tableName, rows && numberOf(rows)]);
  const key = JSON.stringify([family, query]);
  return shared(session, key, keepsPrevious ? family : '', open);
}

// Distinguishes the definitions of one table, because their rows differ. A component may make its
// definition anew in each render.
function numberOf(rows: RowForm): number {
  let number = formNumbers.get(rows);
  if (!number) {
    const identity = rows.identity();
    number = identities.indexOf(identity) + 1 || identities.push(identity);
    formNumbers.set(rows, number);
  }
  return number;
}

/**
 * The view of an object with a key.
 *
 * @param family - see `Place`.
 * @param state - what a new view shows at first.
 */
export function shared<R>(
  owner: object,
  key: string,
  family: string,
  open: () => Follow<R>,
  state?: ViewState<R>,
): View<R> {
  let views = viewsOf.get(owner);
  if (!views) viewsOf.set(owner, (views = new Map<string, View<unknown>>()));
  // The constructor adds the view to the map.
  return (views.get(key) as View<R> | undefined) ?? new View(open(), { views, key, family }, state);
}
