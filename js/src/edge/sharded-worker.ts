/**
 * The handler of a Worker whose accounts are spread over several Durable Objects.
 *
 * @module
 */

import { isTableError, serverBusy } from '../base/errors.js';
import type { WasmSource } from '../core/compile.js';
import { failureResponse, unopened } from './answers.js';
import type { ObjectNamespaceLike } from './models.js';
import { baseUrlOf } from './routes.js';
import { openShards } from './shards/open.js';
import { CATALOGUE_HEADER, headerOf } from './shards/protocol.js';
import { isReshard } from './shards/reshard-requests.js';
import { loadRouteReader, type RouteReader } from './shards/route.js';
import type { Backend } from './shards/protocol.js';
import { routed, type Backends } from './shards/router.js';

/** Handles the requests of clients for one account. */
export type ShardedHandler = (
  request: Request,
  name: string,
  namespace: ObjectNamespaceLike,
) => Promise<Response>;

/** The object with this name. */
export const objectIn = (namespace: ObjectNamespaceLike, name: string): Backend => {
  // After an error, an object needs a new stub.
  return (request) => namespace.get(namespace.idFromName(name)).fetch(request);
};

/** The object of a shard. The name of an account has no slash. */
const shardIn = (
  namespace: ObjectNamespaceLike,
  name: string,
  shards: number,
  shard: number,
): Backend => objectIn(namespace, `${name}/${shards}/${shard}`);

/** The objects of all shards, in order. */
export const allShards = (
  namespace: ObjectNamespaceLike,
  name: string,
  shards: number,
): readonly Backend[] =>
  Array.from({ length: shards }, (_, shard) => shardIn(namespace, name, shards, shard));

/**
 * Returns the handler of accounts.
 *
 * @param shards - how many a new account has.
 */
export function shardedHandler(
  wasm: WasmSource,
  shards: number,
  accountIn: 'path' | 'host',
): ShardedHandler {
  let reader: RouteReader | undefined;
  // The number of shards of accounts, as far as it is known.
  const opened = new Map<string, number>();

  return async (request, name, namespace) => {
    const catalogue = objectIn(namespace, name);
    const baseUrl = baseUrlOf(request.url, accountIn, name);
    const path = accountIn === 'path' ? `/${name}` : '';

    async function find(isAgain: boolean): Promise<Backends> {
      if (isAgain) opened.delete(name);
      // Requests do not wait for each other here: the platform ends a request at any time.
      const count = opened.get(name) ?? (await openShards(catalogue, baseUrl, shards));
      opened.set(name, count);
      const shard = (number: number) => shardIn(namespace, name, count, number);
      return { catalogue, shards: count, shard };
    }

    try {
      reader ??= await loadRouteReader(wasm);
      await find(false);
    } catch (error) {
      if (!isTableError(error)) throw error;
      return unopened(request, error);
    }
    if (isReshard(request.url, path)) return toCatalogue(catalogue, request);
    return routed(request, find, reader, path);
  };
}

async function toCatalogue(catalogue: Backend, request: Request): Promise<Response> {
  const { method, url, headers: given } = request;
  const headers = new Headers(given);
  headers.set(CATALOGUE_HEADER, headerOf({ kind: 'reshard' }));
  try {
    return await catalogue(new Request(url, { method, headers }));
  } catch (error) {
    console.error('Entitable: the catalogue does not answer.', error);
    return failureResponse({ method, headers }, serverBusy());
  }
}
