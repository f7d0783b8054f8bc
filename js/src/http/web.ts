/**
 * Requests and answers in the forms of `fetch`.
 *
 * @module
 */

import { readBody } from './body.js';
import type { HttpAnswer } from './frames.js';
import type { IncomingRequest } from './raw-handler.js';

// A Response with such a status must have no body, not even an empty one.
const WITHOUT_BODY = [204, 304];

/** @param address - where the request comes from, if that is known. */
export function incomingOf(request: Request, address?: string): IncomingRequest {
  const { method, url, headers, signal } = request;
  return {
    method,
    target: targetOf(url),
    host: new URL(url).host,
    headers,
    readBody: (limit) => readBody(request, limit),
    signal,
    origin: { isSecure: url.startsWith('https:'), address },
  };
}

// The part between the host and the fragment.
const targetOf = (url: string) => url.replace(/^[^:]+:\/\/[^/?#]*/, '').replace(/#.*$/s, '');

/** The answer to a request with this method. */
export function responseOf(method: string, { status, headers, body }: HttpAnswer): Response {
  const isEmpty = WITHOUT_BODY.includes(status) || method === 'HEAD';
  return new Response(isEmpty ? null : body, { status, headers });
}
