/**
 * The requests of sync to one table of the remote account.
 *
 * Source: operations of the spec, 2.1, 2.7 and 2.12; query, 3.3.
 *
 * @module
 */

import { isTableError, remade, TableError } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import { entityPath, parameter, tablePath } from '../remote/address.js';
import type { Lost, Received } from '../remote/exchange.js';
import { failureOf } from '../remote/failure.js';
import { coversAll } from '../remote/key-range.js';
import { ContinuationCheck, hiddenHeader } from '../remote/hidden-headers.js';
import type { RemoteTransport } from '../remote/transport.js';
import type { ServiceRequest } from '../remote/service-request.js';
import type { KeyPair } from './steps.js';

/** A page of a query, as it arrived. */
export interface RemotePage {
  readonly text: string;
  /** For the next page; empty: it is the last one. */
  readonly token: string;
  /** When the service has answered, in ticks of the service's epoch; empty: it did not say. */
  readonly date: string;
}

/** What to ask for. */
export interface PageQuery {
  readonly filter: string;
  readonly token?: string | undefined;
  /** Only keys and etags. */
  readonly keysOnly?: boolean | undefined;
  readonly top?: number | undefined;
}

/** The answer cannot be had now. Sync tries again. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
  readonly retryAfterMs: number;

  constructor(cause: TableError, retryAfterMs: number) {
    super(cause.message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

export const isNotNow = (error: unknown): error is NotNow =>
  isObject(error) && (error as Partial<Error>).name === 'NotNow';

const ACCEPT = { Accept: 'application/json;odata=minimalmetadata' };
const TOKENS = ['NextPartitionKey', 'NextRowKey'] as const;
const TICKS_OF_1970 = 621_355_968_000_000_000n;

/** A table of the remote account. */
export class RemoteSyncTable {
  readonly name: string;
  readonly url: string;
  readonly #transport: RemoteTransport;
  readonly #partitions: readonly string[] | undefined;
  readonly #continuations = new ContinuationCheck();

  /** @param partitions - those that are synced; undefined: all. */
  constructor(transport: RemoteTransport, name: string, partitions: readonly string[] | undefined) {
    this.#transport = transport;
    this.url = transport.base;
    this.name = name;
    this.#partitions = partitions;
  }

  /**
   * Fetches a page.
   *
   * @throws {@link NotNow}; {@link TableError} with the code of the service, `HeadersHidden`.
   */
  async page({ filter, token, keysOnly, top }: PageQuery): Promise<RemotePage> {
    const query = [
      ...(filter ? [parameter('$filter', filter)] : []),
      ...(keysOnly ? [parameter('$select', 'PartitionKey,RowKey')] : []),
      ...(top === undefined ? [] : [parameter('$top', String(top))]),
      ...(token ? [token] : []),
    ];
    const received = await this.#get(`${tablePath(this.name)}()`, query);
    const { headers, text, isCrossOrigin } = received;
    const next = tokenOf(received);
    if (isCrossOrigin) await this.#checkHeaders(received, next);
    return { text, token: next, date: ticksOf(headers.get('Date')) };
  }

  /**
   * Fetches an entity.
   *
   * @returns undefined, if there is none.
   * @throws as `page()`.
   */
  async entity([partitionKey, rowKey]: KeyPair): Promise<string | undefined> {
    try {
      const path = entityPath(this.name, { partitionKey, rowKey });
      return (await this.#get(path, [])).text;
    } catch (error) {
      const isMissing = isTableError(error) && error.code === 'ResourceNotFound';
      if (isMissing) return undefined;
      throw error;
    }
  }

  /** Sends a transaction once. */
  async push(contentType: string, body: string): Promise<Received | Lost> {
    const headers = { Accept: 'application/json', 'Content-Type': contentType };
    const request = { method: 'POST', path: '/$batch', query: [], headers, body };
    return await this.#exchange(request);
  }

  /**
   * Creates the table, unless it exists.
   *
   * @throws as `page()`.
   */
  async create(): Promise<void> {
    const body = JSON.stringify({ TableName: this.name });
    const headers = { ...ACCEPT, 'Content-Type': 'application/json', Prefer: 'return-no-content' };
    const request = { method: 'POST', path: '/Tables', query: [], headers, body };
    const received = await this.#exchange(request);
    if (isGood(received)) return;
    const error = this.failure(received);
    if (!isTableError(error) || error.code !== 'TableAlreadyExists') throw error;
  }

  // A page of another origin reads only the headers that a CORS rule exposes. Without the
  // continuation, the first page would look like the last.
  async #checkHeaders({ headers, text }: Received, token: string): Promise<void> {
    if (headers.get('Date') === null) throw hiddenHeader('Date', false);
    if (this.#continuations.isSure) return;
    const { value } = JSON.parse(text) as { value: unknown[] };
    if (token === '' && value.length < 2) return;
    const first = () => this.#get(`${tablePath(this.name)}()`, [parameter('$top', '1')]);
    await this.#continuations.confirm(
      token !== '',
      async () => tokenOf(await first()) !== '',
      () => true,
    );
  }

  async #get(path: string, query: readonly string[]): Promise<Received> {
    const request: ServiceRequest = { method: 'GET', path, query, headers: ACCEPT };
    const received = await this.#exchange(request);
    if (isGood(received)) return received;
    throw this.failure(received);
  }

  /** The error of an answer that is no success, or of none. */
  failure(received: Received | Lost): Error {
    const { error, mayPass, retryAfterMs } = failureOf(received);
    const named = remade(error, { sentence: `Remote table ${shown(this.name)}.` });
    return mayPass ? new NotNow(named, retryAfterMs) : named;
  }

  // A function that fetches a credential fails with a TypeError if there is no network, as `fetch`.
  async #exchange(request: ServiceRequest): Promise<Received | Lost> {
    const check = (credential: string) => this.#checkRange(credential);
    try {
      return await this.#transport.exchange(request, undefined, check);
    } catch (cause) {
      const isUnsent = isObject(cause) && (cause as Partial<Error>).name === 'TypeError';
      if (isUnsent) return { cause, isUnsent };
      throw cause;
    }
  }

  // The service leaves out entities that a signature does not cover. They would look deleted.
  #checkRange(credential: string): void {
    if (coversAll(credential, this.#partitions)) return;
    throw new TableError('AuthorizationFailure', 'The signature covers only a range of keys.', {
      sentence:
        'Sync only partitions inside it, with the option partitions, or use another signature. ' +
        `Remote table ${shown(this.name)}.`,
    });
  }
}

// As the query of the next request.
const tokenOf = ({ headers }: Received) =>
  TOKENS.flatMap((name) => {
    const value = headers.get(`x-ms-continuation-${name}`);
    return value === null ? [] : [parameter(name, value)];
  }).join('&');

const isGood = (received: Received | Lost): received is Received =>
  'status' in received && received.status >= 200 && received.status <= 299;

// The header is in GMT, with whole seconds.
function ticksOf(date: string | null): string {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? '' : String(BigInt(time) * 10_000n + TICKS_OF_1970);
}

/** The ticks of a time. */
export const ticksOfDate = (date: Date) => String(BigInt(date.getTime()) * 10_000n + TICKS_OF_1970);

/** A text as a literal of a filter. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The filter of a partition; empty for a whole table. */
export const filterOf = (scope: string | undefined) =>
  scope === undefined ? '' : `PartitionKey eq ${literal(scope)}`;

/** Both conditions. */
export const both = (a: string, b: string) => (a && b ? `(${a}) and (${b})` : a || b);
