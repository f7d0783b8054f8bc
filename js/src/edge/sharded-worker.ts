/**
 * The handler of a Worker whose accounts are spread over several Durable Objects.
 *
 * @module
 */

import { isTableError } from '../base/errors.js';
import type { WasmSource } from '../core/compile.js';
import { unopened } from './answers.js';
import type { ObjectNamespaceLike } from './models.js';
import { baseUrlOf } from './routes.js';
import { openShards } from './shards/open.js';
import { loadRouteReader, type RouteReader } from './shards/route.js';
import { routed, type Backend } from './shards/router.js';

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

/** Returns the handler of accounts with so many shards. */
export function shardedHandler(
  wasm: WasmSource,
  shards: number,
  accountIn: 'path' | 'host',
): ShardedHandler {
  let reader: RouteReader | undefined;
  // The names of accounts whose number of shards is known to be right.
  const opened = new Set<string>();

  return async (request, name, namespace) => {
    const catalogue = objectIn(namespace, name);
    const baseUrl = baseUrlOf(request.url, accountIn, name);
    try {
      // Requests do not wait for each other here: the platform ends a request at any time.
      reader ??= await loadRouteReader(wasm);
      if (!opened.has(name)) await openShards(catalogue, baseUrl, shards);
      opened.add(name);
    } catch (error) {
      if (!isTableError(error)) throw error;
      return unopened(request, error);
    }
    const shard = (number: number) => shardIn(namespace, name, shards, number);
    const path = accountIn === 'path' ? `/${name}` : '';
    return routed(request, { catalogue, shards, shard }, reader, path);
  };
}
