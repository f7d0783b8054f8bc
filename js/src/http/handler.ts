/**
 * A `Request` in, a `Response` out.
 *
 * @module
 */

import type { PlatformRequest, PlatformResponse } from '../base/platform.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import { readBody } from './body.js';
import { createTableExchange, type TableHandlerOptions } from './exchange.js';

/** Answers a request as the service does, errors too. */
export type TableHandler = (request: PlatformRequest) => Promise<PlatformResponse>;

// A Response with such a status must have no body, not even an empty one.
const WITHOUT_BODY = [204, 304];

/**
 * Makes a `fetch` handler that serves an account by the REST API of the service. Nothing in it
 * depends on where it runs: in a server, a service worker, or the same page.
 *
 * The address of a request must begin with the path of the account's `baseUrl`; its host may be
 * any, and addresses in the answer have it, too. A signal of the request withdraws it; a write that
 * was begun may still come true.
 *
 * The handler rejects only when the request was aborted or its body cannot be read, or when a rule
 * of `cors` breaks a rule of the service. When the account is closed, all later requests are answered
 * with 503.
 *
 * @example
 * ```ts
 * const handler = createTableHandler(account, { authentication: 'anonymous' });
 * self.addEventListener('fetch', (event) => event.respondWith(handler(event.request)));
 * ```
 * @throws a `TypeError`, if the options do not say who is let in, or a key is not Base64, or there is
 * no account; never a {@link TableError}.
 */
export function createTableHandler(
  account: TableServiceClient,
  options: TableHandlerOptions,
): TableHandler {
  const exchange = createTableExchange(account, options);
  return async (request) => {
    const { method, signal } = request;
    const { status, headers, body } = await exchange({
      method,
      target: targetOf(request.url),
      host: new URL(request.url).host,
      headers: request.headers,
      readBody: (limit) => readBody(request, limit),
      signal,
      origin: { isSecure: request.url.startsWith('https:') },
    });
    const isEmpty = WITHOUT_BODY.includes(status) || method === 'HEAD';
    return new Response(isEmpty ? null : body, { status, headers });
  };
}

// What lies between the host and the fragment.
const targetOf = (url: string) => url.replace(/^[^:]+:\/\/[^/?#]*/, '').replace(/#.*$/s, '');
