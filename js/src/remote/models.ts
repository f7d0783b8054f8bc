/**
 * The options of remote accounts, and their tables as the compiler sees them.
 *
 * @module
 */

import type { PlatformAbortSignal, UrlLike } from '../base/platform.js';
import type { Page, PagedAsyncIterableIterator } from '../client/paging.js';
import type { TableClient } from '../client/table-client.js';
import type {
  DeclaredEntity,
  SelectableName,
  SelectedEntity,
  TableEntityResult,
} from '../entity/entities.js';
import type { ListTableEntitiesOptions, TableEntityResultPage } from '../entity/models.js';
import type { Validator } from '../validation/validator.js';

/**
 * A credential, or a function that fetches one. The function is called before the first request,
 * and again after an answer 401 or 403: then the request is repeated once, if the credential is a
 * new one. What it throws, the call throws.
 */
export type Credential = string | (() => string | Promise<string>);

/** Options of `remoteAccount`. It has one credential at most, which is never stored. */
export interface RemoteAccountOptions {
  /**
   * The address of the account: `https://contoso.table.core.windows.net`, or
   * `http://127.0.0.1:10002/devstoreaccount1` for the emulator. A query string is taken as `sas`.
   */
  url: string | UrlLike;

  /** A shared access signature: `sv=…&sig=…`, with or without a question mark. */
  sas?: Credential | undefined;

  /** A bearer token of Microsoft Entra ID. It is refused for `http:`, except on this machine. */
  token?: Credential | undefined;

  /**
   * A key of the account, in Base64. It may do everything: never give it to a page that others
   * open.
   */
  key?: string | undefined;

  /**
   * The name of the account, which signatures with `key` need. By default the path of the address,
   * or else the first part of its host.
   */
  account?: string | undefined;

  /** Sends requests, in place of the global `fetch`. */
  fetch?: RemoteFetch | undefined;

  /**
   * How often a request is repeated that got no answer, or was answered with 408, 429 or 5xx: 0 to
   * 10; 3 by default.
   */
  retries?: number | undefined;

  /**
   * Checks rows of declared tables before they are sent, as local accounts do. Without it, only the
   * patterns and checks of a definition are checked here.
   */
  validator?: Validator | undefined;
}

/** Sends a request. The global `fetch` is one. */
export type RemoteFetch = (url: string, request: RemoteRequest) => Promise<RemoteResponse>;

/** A request, as `fetch` takes it. */
export interface RemoteRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: 'manual';
  /** Fires if the call is aborted, and 60 seconds after the request was sent. */
  signal: PlatformAbortSignal;
}

/** The members of a `Response` that a remote account needs. */
export interface RemoteResponse {
  readonly status: number;
  /** `cors`, if the platform may hide headers. */
  readonly type?: string;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

type OfEveryTable =
  | 'createEntity'
  | 'createTable'
  | 'deleteEntity'
  | 'deleteTable'
  | 'getEntity'
  | 'submitTransaction'
  | 'tableName'
  | 'updateEntity'
  | 'upsertEntity';

/** Lists without the order of `TableEntityOrderOptions`, which the service does not have. */
interface RemoteLists<Row extends object> {
  listEntities<T extends object = Row>(
    options?: ListTableEntitiesOptions<undefined, false>,
  ): PagedAsyncIterableIterator<TableEntityResult<T>, TableEntityResultPage<T>>;
  listEntities<T extends object = never>(
    options: [T] extends [never] ? never : ListTableEntitiesOptions<readonly string[], false>,
  ): PagedAsyncIterableIterator<DeclaredEntity<T>, Page<DeclaredEntity<T>>>;
  listEntities<
    const S extends readonly SelectableName<Row>[] | undefined = undefined,
    IsTyped extends boolean | undefined = false,
  >(
    options?: ListTableEntitiesOptions<S, IsTyped>,
  ): PagedAsyncIterableIterator<
    SelectedEntity<Row, S, IsTyped>,
    Page<SelectedEntity<Row, S, IsTyped>>
  >;
}

/**
 * The client of a table of a remote account: the methods of {@link TableClient} that the service
 * has.
 *
 * The remote service checks every rule, so errors have its codes, and codes of `RemoteErrorCode`. A
 * call may also reject with `StorageUnavailable`, if there is no answer of the service, and with
 * `HeadersHidden`, if its CORS rules hide a header that is needed. A failed write changes nothing,
 * unless its code is `StorageOutcomeUnknown` or `HeadersHidden`.
 *
 * Every read is fresh. An update with a plain whole number stores an Int32, also where a Double is
 * stored: write `{ type: 'Double', value: 5 }`.
 *
 * @typeParam Row - the properties that each entity has beside its keys.
 */
export type RemoteTableClient<Row extends object = Record<string, unknown>> = Pick<
  TableClient<Row>,
  OfEveryTable
> &
  RemoteLists<Row>;
