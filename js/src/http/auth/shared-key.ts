/**
 * The signatures of requests: SharedKey and SharedKeyLite for tables.
 *
 * Source: auth of the spec, 5.1 to 5.4.
 *
 * @module
 */

import type { RequestHeaders } from '../frames.js';

/** What of a request is signed. */
export interface SignedRequest {
  /** As on the wire: POST of a tunnelled one. */
  readonly method: string;
  /** Path and query, percent-encoded as they were sent. */
  readonly target: string;
  readonly headers: RequestHeaders;
}

export type Scheme = 'SharedKey' | 'SharedKeyLite';

/** `x-ms-date`, or else `Date`. */
export function dateOf({ headers }: SignedRequest): string | undefined {
  return headers.get('x-ms-date') ?? headers.get('Date') ?? undefined;
}

/**
 * The text that a client signs.
 *
 * @param account - without `-secondary`, wherever the request went.
 */
export function stringToSign(scheme: Scheme, account: string, request: SignedRequest): string {
  const { method, headers } = request;
  const tail = [dateOf(request) ?? '', canonicalizedResource(account, request.target)];
  if (scheme === 'SharedKeyLite') return tail.join('\n');
  const head = [method, headers.get('Content-MD5') ?? '', headers.get('Content-Type') ?? ''];
  return [...head, ...tail].join('\n');
}

// Of the query, comp alone takes part.
function canonicalizedResource(account: string, target: string): string {
  const mark = target.indexOf('?');
  if (mark < 0) return `/${account}${target}`;
  const component = new URLSearchParams(target.slice(mark + 1)).get('comp');
  return `/${account}${target.slice(0, mark)}${component === null ? '' : `?comp=${component}`}`;
}
