/**
 * One account over several, without Durable Objects: any handlers will do.
 *
 * @module
 */

import { checkedOptions, typeError } from '../base/options.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import type { WasmSource } from '../core/compile.js';
import type { AccountKeys } from '../http/auth/authenticate.js';
import { createTableHandler, type TableHandler } from '../http/handler.js';
import type { TableHandlerOptions } from '../http/raw-handler.js';
import { ShardCatalogue } from './shards/catalogue.js';
import { openShards, otherShards } from './shards/open.js';
import type { RecordStore } from './shards/records.js';
import { loadRouteReader } from './shards/route.js';
import { routed } from './shards/router.js';
import { signedBackend } from './shards/signed.js';

/** Options of {@link createShardRouter}. */
export interface ShardRouterOptions {
  /** The module: bytes, or the default export of `entitable/entitable.wasm` in a Worker. */
  readonly wasm: WasmSource;

  /** The address of the account, without a slash at the end. Only its path counts. */
  readonly baseUrl: string;

  /** The handler that {@link createShardCatalogue} has made, or a way to it. */
  readonly catalogue: TableHandler;

  /**
   * A handler of each shard: an account of its own with the same name, address and keys. Their
   * number and their order must not change.
   */
  readonly shards: readonly TableHandler[];
}

/** Options of {@link createShardCatalogue}. */
export interface ShardCatalogueOptions extends Pick<
  TableHandlerOptions,
  'authentication' | 'cors'
> {
  /**
   * The same handlers as those of the router, in the same order. Requests to them are signed by the
   * first key of `authentication`.
   */
  readonly shards: readonly TableHandler[];

  /** The address of the account, without a slash at the end. */
  readonly baseUrl: string;

  /** Where the catalogue keeps what it has begun. */
  readonly records: RecordStore;
}

/**
 * Makes a handler of one account that is spread over several: each partition is in one of them. Any
 * number of routers may run at once.
 *
 * It rejects only if the request was aborted, or if its body cannot be read. A read is sent again
 * if a shard does not answer; a write is not.
 *
 * @throws a `TypeError`, if an option is missing, unknown or of another kind; {@link TableError}
 * `StorageUnavailable`, if the account has another number of shards; `ServerBusy`, if the catalogue
 * does not answer well.
 */
export async function createShardRouter(options: ShardRouterOptions): Promise<TableHandler> {
  const { wasm, baseUrl, catalogue, shards } = checkedOptions(
    'createShardRouter',
    options,
    { wasm: 'module', baseUrl: 'string', catalogue: 'function', shards: 'any' } as const,
    typeError,
  );
  checkHandlers('createShardRouter', shards);
  const readRoute = await loadRouteReader(wasm);
  const stored = await openShards(catalogue, baseUrl, shards.length);
  if (stored !== shards.length) {
    throw otherShards(
      `The account has ${stored} shards, not ${shards.length}: their number must not change.`,
    );
  }
  const path = new URL(baseUrl).pathname.replace(/\/$/, '');
  const backends = { catalogue, shards: shards.length, shard: (at: number) => shards[at]! };
  return (request) => routed(request, () => Promise.resolve(backends), readRoute, path);
}

/**
 * Makes the handler of the catalogue: it answers requests about tables and about the account, and
 * makes the shards follow. There must be one at any time, so it runs in one process.
 *
 * @param account - an account of its own, in which the tables have no entities.
 * @throws a `TypeError`, as `createTableHandler()`.
 */
export function createShardCatalogue(
  account: TableServiceClient,
  options: ShardCatalogueOptions,
): TableHandler {
  const { authentication, cors, shards, baseUrl, records } = checkedOptions(
    'createShardCatalogue',
    options,
    {
      authentication: 'any',
      cors: 'any',
      shards: 'any',
      baseUrl: 'string',
      records: 'any',
    } as const,
    typeError,
  );
  checkHandlers('createShardCatalogue', shards);
  const signed = shards.map((shard) => signedFor(shard, authentication));
  const catalogue = new ShardCatalogue({
    clients: createTableHandler(account, { authentication, cors }),
    own: createTableHandler(account, { authentication: 'anonymous' }),
    shardsOf: () => signed,
    canReshard: false,
    records,
    baseUrl,
  });
  return (request) => catalogue.answer(request);
}

function checkHandlers(owner: string, shards: readonly unknown[]): void {
  if (
    Array.isArray(shards) &&
    shards.length > 0 &&
    shards.every((one) => typeof one === 'function')
  )
    return;
  throw new TypeError(`The option shards of ${owner} must be handlers, at least one.`);
}

function signedFor(shard: TableHandler, authentication: AccountKeys | 'anonymous'): TableHandler {
  if (authentication === 'anonymous') return shard;
  const { account, keys } = authentication;
  return signedBackend(shard, account, () => Promise.resolve(keys[0]));
}
