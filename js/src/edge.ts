/**
 * The REST API of the service at the edge: a Cloudflare Worker with one Durable Object for each
 * account.
 *
 * @module
 */

import { checkedOptions, typeError } from './base/options.js';
import { isModule } from './base/kinds.js';
import { shown } from './base/shown.js';
import { accountHandler } from './edge/account-object.js';
import { keysIn } from './edge/account-keys.js';
import { refused } from './edge/answers.js';
import type {
  EdgeEnvironment,
  ObjectNamespaceLike,
  TableObjectClass,
  TableObjectContext,
  TableWorker,
  TableWorkerOptions,
} from './edge/models.js';
import { accountOf } from './edge/routes.js';
import { allShards, objectIn, shardedHandler } from './edge/sharded-worker.js';
import { MAX_SHARDS } from './edge/shards/most-shards.js';

export type { PlatformRequest, PlatformResponse } from './base/platform.js';
export type { CorsRule } from './client/models.js';
export type { WasmSource } from './core/compile.js';
export type {
  EdgeEnvironment,
  ObjectNamespaceLike,
  TableObjectClass,
  TableObjectContext,
  TableWorker,
  TableWorkerOptions,
} from './edge/models.js';
export {
  createShardCatalogue,
  createShardRouter,
  type ShardCatalogueOptions,
  type ShardRouterOptions,
} from './edge/sharding.js';
export type { RecordStore } from './edge/shards/records.js';
export type { AccountKeys } from './http/auth/authenticate.js';
export type { HmacSha256 } from './http/auth/signature.js';
export type { TableHandler } from './http/handler.js';
export type { TableHandlerOptions } from './http/raw-handler.js';

const OPTIONS = {
  wasm: 'module',
  keys: 'function',
  authorize: 'function',
  accountIn: ['path', 'host'],
  binding: 'string',
  shards: 'number',
  cors: 'any',
  cacheBytes: 'cache bytes',
  maxMemoryBytes: 'bytes',
} as const;

/** Of 128 MB that the objects of a thread share with their scripts. */
const MAX_MEMORY_BYTES = 80 * 2 ** 20;

/**
 * Makes the two exports of a Worker: the class of its Durable Objects, and the handler that sends
 * each request to the object of its account.
 *
 * @example
 * ```ts
 * const { TableObject, worker } = tableWorker({ wasm });
 * export { TableObject, worker as default };
 * ```
 * @throws a `TypeError`, if an option is unknown, of another kind or out of range, if both `keys`
 * and `authorize` are given, or if `wasm` is missing.
 */
export function tableWorker<Env extends object = EdgeEnvironment>(
  options: TableWorkerOptions<Env>,
): TableWorker<Env> {
  const { authorize, keys, accountIn, binding, shards, ...account } = checkedWorker(options);
  const sharded = shards > 1 ? shardedHandler(account.wasm, shards, accountIn) : undefined;

  const TableObject: TableObjectClass<Env> = class {
    readonly fetch: (request: Request) => Promise<Response>;

    constructor(context: TableObjectContext, env: Env) {
      // The Worker has asked `authorize` already, and nobody else reaches the object.
      const keysOf = authorize ? undefined : async (name: string) => keys(name, env);
      const shardsOf =
        sharded &&
        ((name: string, count: number) => allShards(namespaceIn(env, binding), name, count));
      this.fetch = accountHandler(context, { ...account, accountIn, keysOf, shardsOf });
    }
  };

  const worker = {
    async fetch(request: Request, env: Env): Promise<Response> {
      const name = accountOf(request.url, accountIn);
      if (name === undefined) return refused(request, 'ResourceNotFound');
      const verdict = await verdictOf(request, name, env);
      if (verdict === false) return refused(request, 'AuthenticationFailed');
      if (verdict !== true) return verdict;
      const namespace = namespaceIn(env, binding);
      return sharded ? sharded(request, name, namespace) : objectIn(namespace, name)(request);
    },
  };

  // An unknown account must not make an object. A preflight of a browser has no credentials.
  async function verdictOf(request: Request, name: string, env: Env) {
    if (!authorize) return Boolean((await keys(name, env))?.length);
    return request.method === 'OPTIONS' || authorize(request, { account: name, env });
  }

  return { TableObject, worker };
}

function checkedWorker<Env extends object>(options: TableWorkerOptions<Env>) {
  const checked = checkedOptions('tableWorker', options, OPTIONS, typeError);
  const { wasm, authorize, keys = keysIn, accountIn = 'path', binding = 'TABLES' } = checked;
  const { cors, cacheBytes, maxMemoryBytes = MAX_MEMORY_BYTES, shards = 1 } = checked;
  if (!isModule(wasm)) {
    throw new TypeError(
      'The option wasm of tableWorker must be the default export of entitable/entitable.wasm.',
    );
  }
  if (authorize && keys !== keysIn) {
    throw new TypeError('tableWorker takes one of the options keys and authorize, not both.');
  }
  if (!Number.isInteger(shards) || shards < 1 || shards > MAX_SHARDS) {
    throw new TypeError(
      `The option shards of tableWorker must be an integer from 1 to ${MAX_SHARDS}, not ${shown(shards)}.`,
    );
  }
  return { wasm, authorize, keys, accountIn, binding, shards, cors, cacheBytes, maxMemoryBytes };
}

function namespaceIn(env: object, binding: string): ObjectNamespaceLike {
  const namespace = (env as EdgeEnvironment)[binding] as ObjectNamespaceLike | undefined;
  if (typeof namespace?.idFromName === 'function') return namespace;
  throw new TypeError(
    `The binding ${shown(binding)} of the Worker must be that of the class TableObject. ` +
      'Add it to durable_objects.bindings of wrangler.toml, or pass the option binding.',
  );
}
