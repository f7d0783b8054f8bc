/**
 * The text that a request signs: SharedKey and SharedKeyLite for tables.
 *
 * Source: auth of the spec, 5.1 to 5.4.
 *
 * @module
 */

import type { RequestHeaders } from '../frames.js';

/** The signed parts of a request. */
export interface SignedRequest {
  /** As on the wire: POST for a tunnelled request. */
  readonly method: string;
  /** Path and query, percent-encoded as the client sent them. */
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
 * @param account - without `-secondary`, for either address.
 */
export function stringToSign(scheme: Scheme, account: string, request: SignedRequest): string {
  const { method, headers } = request;
  const tail = [dateOf(request) ?? '', canonicalizedResource(account, request.target)];
  if (scheme === 'SharedKeyLite') return tail.join('\n');
  const head = [method, headers.get('Content-MD5') ?? '', headers.get('Content-Type') ?? ''];
  return [...head, ...tail].join('\n');
}

// Of the query, only comp is signed.
function canonicalizedResource(account: string, target: string): string {
  const mark = target.indexOf('?');
  if (mark < 0) return `/${account}${target}`;
  const component = new URLSearchParams(target.slice(mark + 1)).get('comp');
  return `/${account}${target.slice(0, mark)}${component === null ? '' : `?comp=${component}`}`;
}
