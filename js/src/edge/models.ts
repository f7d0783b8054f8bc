/**
 * The options of a Worker, and the members of the platform that it needs.
 *
 * @module
 */

import type { PlatformRequest, PlatformResponse } from '../base/platform.js';
import type { CorsRule } from '../client/models.js';
import type { WasmSource } from '../core/compile.js';
import type { DurableObjectStorageLike } from '../storage/durable-object.js';

/** The bindings, variables and secrets of a Worker, if it has no type for them. */
export type EdgeEnvironment = Readonly<Record<string, unknown>>;

/** Options of `tableWorker()`. `Env` is the type of the bindings, variables and secrets. */
export interface TableWorkerOptions<Env extends object = EdgeEnvironment> {
  /** The module: the default export of `entitable/entitable.wasm`. */
  readonly wasm: WasmSource;

  /**
   * The keys of an account, one or two in Base64; undefined or none, if there is no such account.
   * Requests need a signature by a key: SharedKey, SharedKeyLite, or a shared access signature.
   *
   * By default the secret `ENTITABLE_ACCOUNTS` has them: `name:key;other:key:key`.
   */
  readonly keys?:
    | ((
        account: string,
        env: Env,
      ) => readonly string[] | undefined | Promise<readonly string[] | undefined>)
    | undefined;

  /**
   * Decides instead of keys. It returns whether the request may do everything in the account. A
   * response is sent in place of the answer. CORS preflight requests do not reach it.
   */
  readonly authorize?:
    | ((
        request: PlatformRequest,
        about: { readonly account: string; readonly env: Env },
      ) => boolean | PlatformResponse | Promise<boolean | PlatformResponse>)
    | undefined;

  /**
   * Where the account is named: in the first part of the path (`https://host/name/Pets`), the
   * default, or in the first part of the host (`https://name.tables.example.com/Pets`).
   */
  readonly accountIn?: 'path' | 'host' | undefined;

  /** The name of the binding of the objects; by default `TABLES`. */
  readonly binding?: string | undefined;

  /**
   * Over how many objects a new account is spread: 1, the default, to 400. Each partition is in one
   * of them. The number is stored with the first request of an account. With 2 or more, the command
   * `entitable reshard` changes it.
   */
  readonly shards?: number | undefined;

  /**
   * What pages of other origins may do: everything; nothing; or what the first fitting rule allows.
   * By default the properties of the account decide.
   */
  readonly cors?: boolean | readonly CorsRule[] | undefined;

  /** How many bytes of pages stay in the memory of each object; by default 16 MiB. */
  readonly cacheBytes?: number | undefined;

  /** How many bytes of memory the module of an object may use; by default 80 MiB. */
  readonly maxMemoryBytes?: number | undefined;
}

/** The exports of a Worker. */
export interface TableWorker<Env extends object = EdgeEnvironment> {
  /** The class of the Durable Objects. */
  readonly TableObject: TableObjectClass<Env>;

  /** The default export. */
  readonly worker: {
    fetch(request: PlatformRequest, env: Env): Promise<PlatformResponse>;
  };
}

/** The class of the Durable Objects. Each has one account, or one shard of an account. */
export type TableObjectClass<Env extends object = EdgeEnvironment> = new (
  context: TableObjectContext,
  env: Env,
) => { fetch(request: PlatformRequest): Promise<PlatformResponse> };

/** The context of a Durable Object: `ctx`. */
export interface TableObjectContext {
  readonly storage: DurableObjectStorageLike & { deleteAll(): Promise<void> };
  blockConcurrencyWhile<T>(work: () => Promise<T>): Promise<T>;
}

/** A binding of Durable Objects. */
export interface ObjectNamespaceLike {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(request: PlatformRequest): Promise<PlatformResponse> };
}
