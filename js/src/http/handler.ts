/**
 * A `Request` in, a `Response` out: the core reads the one and writes the other.
 *
 * @module
 */

import { TableError } from '../errors.js';
import type { TableServiceClient } from '../table-service-client.js';
import { readBody } from './body.js';
import { failureAnswer } from './failure.js';
import { readHttpAnswer, submitHttpRequest, type HttpAnswer } from './frames.js';

/** What {@link createTableHandler} takes. */
export interface TableHandlerOptions {
  /** `anonymous`: whoever can send a request may do everything. */
  readonly authentication: 'anonymous';
}

/** Answers a request as the service does, errors too. */
export type TableHandler = (request: Request) => Promise<Response>;

// One more than the core takes, which therefore sees that a body is too long.
const MAX_BODY_BYTES = 4 * 2 ** 20 + 1;

// A Response with such a status must have no body, not even an empty one.
const WITHOUT_BODY = [204, 304];

/**
 * Makes a `fetch` handler that serves an account by the REST API of the service. Nothing in it
 * depends on where it runs: in a server, a service worker, or the same page.
 *
 * The address of a request must begin with the path of the account's `baseUrl`; its host may be
 * any. A signal of the request withdraws it; a write that was begun may still come true.
 *
 * The handler rejects only when the request was aborted or its body cannot be read. Whoever closes
 * the account has all later requests answered with 503.
 *
 * @example
 * ```ts
 * const handler = createTableHandler(account, { authentication: 'anonymous' });
 * self.addEventListener('fetch', (event) => event.respondWith(handler(event.request)));
 * ```
 * @throws {@link TableError} never; a `TypeError`, if the options do not say who is let in.
 */
export function createTableHandler(
  account: TableServiceClient,
  { authentication }: TableHandlerOptions,
): TableHandler {
  if (authentication !== 'anonymous') throw new TypeError('authentication must be "anonymous"');
  const { session } = account;
  return async (request) => {
    const requestId = crypto.randomUUID();
    const { method, headers, signal } = request;
    const [target = ''] = request.url.split('#', 1);
    const body = await readBody(request, MAX_BODY_BYTES);
    const sent = { method, target, headers, requestId, body };
    try {
      const answer = await session.submit(
        (module, engine) => submitHttpRequest(module, engine, sent),
        readHttpAnswer,
        signal,
      );
      return toResponse(answer, method);
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      return toResponse(failureAnswer(error, requestId), method);
    }
  };
}

function toResponse({ status, headers, body }: HttpAnswer, method: string): Response {
  const isEmpty = WITHOUT_BODY.includes(status) || method === 'HEAD';
  return new Response(isEmpty ? null : body, { status, headers });
}
