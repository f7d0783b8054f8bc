/**
 * The handler of `fetch` events: it takes a `Request` and returns a `Response`.
 *
 * @module
 */

import type { PlatformRequest, PlatformResponse } from '../base/platform.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import { createRawTableHandler, type TableHandlerOptions } from './raw-handler.js';
import { incomingOf, responseOf } from './web.js';

/** Answers a request as the service does, also with errors. */
export type TableHandler = (request: PlatformRequest) => Promise<PlatformResponse>;

/**
 * Makes a `fetch` handler that serves an account by the REST API of the service. It runs anywhere:
 * in a server, in a service worker, or in the same page.
 *
 * The address of a request must begin with the path of the account's `baseUrl`. Its host may be
 * any; addresses in the answer have that host. A signal of the request withdraws it; a write that
 * was begun may still be stored.
 *
 * The handler rejects only if the request was aborted, if its body cannot be read, or if a rule of
 * `cors` is not valid. After the account is closed, the handler answers requests with 503.
 *
 * @example
 * ```ts
 * const handler = createTableHandler(account, { authentication: 'anonymous' });
 * self.addEventListener('fetch', (event) => event.respondWith(handler(event.request)));
 * ```
 * @throws a `TypeError`, if the options do not say who is let in, or a key is not Base64, or there
 * is no account; never a {@link TableError}.
 */
export function createTableHandler(
  account: TableServiceClient,
  options: TableHandlerOptions,
): TableHandler {
  const handle = createRawTableHandler(account, options);
  return async (request) => responseOf(request.method, await handle(incomingOf(request)));
}
