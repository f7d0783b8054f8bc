/**
 * The live results that components show.
 *
 * @module
 */

import type { TableServiceClient } from '../client/table-service-client.js';
import { odata } from '../entity/odata.js';
import { liveEntitiesOf } from '../live/live-entities.js';
import type { LivePlace, ResultSource } from '../live/live-making.js';
import { Live } from '../live/live.js';
import type { StoreStatus } from '../storage/page-storage.js';
import type { Table } from '../tables/table.js';
import type { AccountSource } from './models.js';

const accountLives = /* @__PURE__ */ new WeakMap<object, Live<TableServiceClient | undefined>>();
// A component shows the error.
const ignored = () => undefined;

/**
 * The account, which may still be opened.
 *
 * @param source - null, if no account was provided.
 */
export function sharedAccount(
  source: AccountSource | null,
): Live<TableServiceClient | undefined> | undefined {
  if (source === null) throw new Error('Provide an account first.');
  if (!source) return undefined;
  let live = accountLives.get(source);
  if (!live) accountLives.set(source, (live = liveAccount(source)));
  return live;
}

function liveAccount(source: NonNullable<AccountSource>): Live<TableServiceClient | undefined> {
  const isOpen = 'tableClient' in source;
  const opening: ResultSource<TableServiceClient | undefined> = async (report) =>
    report(await source);
  const place = { owner: source, family: 'account' };
  const empty = isOpen ? source : undefined;
  return new Live(
    { sourceOf: () => opening, empty, isLoaded: isOpen, place },
    { onError: ignored },
  );
}

/** What a function with listeners tells them, as a live result. */
export const toldBy = <R>(
  listen: (report: (value: R) => void, fail: (error: unknown) => void) => () => void,
  empty: R,
  place: LivePlace,
  isLoaded?: boolean,
): Live<R> => {
  const source: ResultSource<R> = (report, signal) =>
    new Promise((_, reject) => {
      const stop = listen(report, reject);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop);
    });
  return new Live({ sourceOf: () => source, empty, place, isLoaded: isLoaded ?? false });
};

/** The only row of a key. */
export function liveRow({ names, requests }: Table, key: unknown): Live<readonly object[]> {
  const { partitionKey, rowKey } = names.keysOf(key);
  const filter = odata`PartitionKey eq ${partitionKey} and RowKey eq ${rowKey}`;
  return liveEntitiesOf(requests, { filter });
}

/** The last event of the storage, see `onStatus()`. */
export const liveStatus = (account: TableServiceClient): Live<StoreStatus | undefined> =>
  toldBy<StoreStatus | undefined>((report) => account.onStatus(report), undefined, {
    owner: account.session,
    family: 'status',
  });

/** What has failed before there was a live result. */
export function liveFailure(error: unknown): Live<never> {
  const place = { owner: ignored, family: 'failure' };
  const live = toldBy<never>(() => ignored, undefined as never, place);
  live.state = { ...live.state, error };
  return live;
}
