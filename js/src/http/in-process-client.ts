/**
 * The official client without a network: a handler in the same process answers its requests.
 *
 * @module
 */

import { abortError } from '../base/errors.js';
import { tagOf } from '../base/kinds.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { TableHandler } from './handler.js';

/** Headers of `@azure/core-rest-pipeline`: names in any case, each name once. */
export interface PipelineHeaders extends Iterable<[string, string]> {
  get(name: string): string | undefined;
  has(name: string): boolean;
  set(name: string, value: string | number | boolean): void;
  delete(name: string): void;
  toJSON(options?: { preserveCase?: boolean }): Record<string, string>;
}

/** The members of a request of `@azure/core-rest-pipeline` that are used here. */
export interface PipelineRequestLike {
  readonly url: string;
  readonly method: string;
  readonly headers: PipelineHeaders;
  /** Text, bytes or a `Blob`. */
  readonly body?: unknown;
  readonly abortSignal?: AbortSignalLike | undefined;
}

/** The answer to it. */
export interface PipelineResponseLike<R> {
  readonly request: R;
  readonly status: number;
  readonly headers: PipelineHeaders;
  readonly bodyAsText: string;
}

/** The type of the `httpClient` option of `@azure/data-tables`. */
export interface InProcessHttpClient {
  sendRequest<R extends PipelineRequestLike>(request: R): Promise<PipelineResponseLike<R>>;
}

/**
 * Makes an HTTP client for `@azure/data-tables` that gives every request to a handler.
 *
 * @example
 * ```ts
 * const handler = createTableHandler(account, { authentication: 'anonymous' });
 * const httpClient = inProcessHttpClient(handler);
 * const pets = new TableClient('http://127.0.0.1:10002/devstoreaccount1', 'Pets', {
 *   httpClient,
 *   allowInsecureConnection: true,
 * });
 * ```
 * @returns a client. Its calls reject with the errors of the handler, and with a `TypeError` for a
 * body that is neither text, bytes nor a `Blob`.
 * @throws a `TypeError`, if the handler is not a function.
 */
export function inProcessHttpClient(handler: TableHandler): InProcessHttpClient {
  if (typeof handler !== 'function') throw new TypeError('a handler must be a function');
  return {
    async sendRequest<R extends PipelineRequestLike>(request: R) {
      const response = await withSignal(request.abortSignal, (signal) =>
        handler(toRequest(request, signal)),
      );
      const headers = new ResponseHeaders(response.headers);
      return { request, status: response.status, headers, bodyAsText: await response.text() };
    },
  };
}

function toRequest(request: PipelineRequestLike, signal: AbortSignal): Request {
  const { url, method, headers, body = null } = request;
  if (!isBody(body)) throw new TypeError('a body must be text, bytes or a Blob');
  return new Request(url, { method, headers: headers.toJSON(), body, signal });
}

function isBody(body: unknown): body is string | Blob | ArrayBuffer | null {
  return (
    body === null ||
    typeof body === 'string' ||
    ['Blob', 'File', 'ArrayBuffer'].includes(tagOf(body)) ||
    ArrayBuffer.isView(body)
  );
}

// A signal of the official client need not be an `AbortSignal` of the platform.
async function withSignal<T>(
  like: AbortSignalLike | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  if (like?.aborted) throw abortError();
  const abort = () => controller.abort(abortError());
  like?.addEventListener('abort', abort);
  try {
    return await work(controller.signal);
  } finally {
    like?.removeEventListener('abort', abort);
  }
}

class ResponseHeaders implements PipelineHeaders {
  readonly #headers: Headers;

  constructor(headers: Headers) {
    this.#headers = headers;
  }

  get(name: string): string | undefined {
    return this.#headers.get(name) ?? undefined;
  }

  has(name: string): boolean {
    return this.#headers.has(name);
  }

  set(name: string, value: string | number | boolean): void {
    this.#headers.set(name, `${value}`);
  }

  delete(name: string): void {
    this.#headers.delete(name);
  }

  // The platform does not keep the case of the names.
  toJSON(): Record<string, string> {
    return Object.fromEntries(this.#headers);
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#headers[Symbol.iterator]();
  }
}
