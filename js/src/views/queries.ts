/**
 * The live results of an account that components share.
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
import { Live, type ResultSource } from '../live/live.js';
import type { StoreStatus } from '../storage/page-storage.js';
import type { AccountSource, CountOptions, EntitiesOptions, TableSource } from './models.js';
import { shared } from './shared.js';

const accountLives = /* @__PURE__ */ new WeakMap<object, Live<TableServiceClient | undefined>>();
// Of each form of rows, and of the identities of definitions.
const formNumbers = /* @__PURE__ */ new WeakMap<object, number>();
const identities: string[] = [];

/**
 * The account, which may still be opened.
 *
 * @param source - null, if no account was provided.
 */
export function sharedAccount(
  source: AccountSource | null,
): Live<TableServiceClient | undefined> | undefined {
  if (source === null) {
    throw new Error('Provide an account first, or pass the client of a table instead of its name.');
  }
  if (!source) return undefined;
  let live = accountLives.get(source);
  if (!live) accountLives.set(source, (live = liveAccount(source)));
  return live;
}

function liveAccount(source: NonNullable<AccountSource>): Live<TableServiceClient | undefined> {
  const isOpen = 'tableClient' in source;
  const opening: ResultSource<TableServiceClient | undefined> = async (report) =>
    report(await source);
  // A component shows the error.
  const onError = () => undefined;
  return new Live(() => opening, { onError }, isOpen ? source : undefined, isOpen);
}

/** What a function with listeners tells them, as a source of results. */
export const toldBy =
  <R>(
    listen: (report: (value: R) => void, fail: (error: unknown) => void) => () => void,
  ): (() => ResultSource<R>) =>
  () =>
  (report, signal) =>
    new Promise((_, reject) => {
      const stop = listen(report, reject);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop);
    });

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

/** The entities that match a filter. */
export function sharedEntities<Row extends object>(
  table: TableClient<Row>,
  options: EntitiesOptions,
): Live<readonly TableEntityResult<Row>[]> {
  return ofTable(table, 'entities', options, true, (onError) => {
    const live: Live<readonly object[]> = (table as TableClient).liveEntities({
      ...options,
      onError,
    });
    return live as Live<readonly TableEntityResult<Row>[]>;
  });
}

/**
 * One entity: the only one of the result.
 *
 * @param hook - what the component calls, for messages.
 * @throws {@link TableError} `InvalidInput`, if a key is missing or no string.
 */
export function sharedEntity<Row extends object>(
  table: TableClient<Row>,
  partitionKey: string,
  rowKey: string,
  hook = 'useEntity',
): Live<readonly TableEntityResult<Row>[]> {
  for (const [name, key] of Object.entries({ partitionKey, rowKey }) as [string, unknown][]) {
    if (typeof key === 'string') continue;
    throw invalidInput(`The argument ${name} of ${hook} must be a string, not ${shown(key)}.`);
  }
  const filter = odata`PartitionKey eq ${partitionKey} and RowKey eq ${rowKey}`;
  return ofTable(table, 'entity', filter, false, (onError) =>
    table.liveEntities<Row>({ filter, onError }),
  );
}

/** The number of entities that match a filter. */
export function sharedCount<Row extends object>(
  table: TableClient<Row>,
  { filter, dialect }: CountOptions,
): Live<number> {
  return ofTable(table, 'count', [filter, dialect], true, (onError) =>
    table.liveCount({ filter, dialect, onError }),
  );
}

/** The last event of the storage, see `onStatus()`. */
export function sharedStatus(account: TableServiceClient): Live<StoreStatus | undefined> {
  return shared(account.session, 'status', '', (onError) => {
    const source = toldBy<StoreStatus | undefined>((report) => account.onStatus(report));
    return new Live(source, { onError }, undefined);
  });
}

function ofTable<R>(
  table: Pick<TableClient, 'requests' | 'tableName'>,
  kind: string,
  query: unknown,
  keepsPrevious: boolean,
  open: (onError: () => void) => Live<R>,
): Live<R> {
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
