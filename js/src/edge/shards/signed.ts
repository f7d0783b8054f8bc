/**
 * Signs the requests of a catalogue to its shards.
 *
 * @module
 */

import { stringToSign } from '../../http/auth/shared-key.js';
import { keyBytes, signingKey } from '../../http/auth/signature.js';
import { incomingOf } from '../../http/web.js';
import type { Backend } from './protocol.js';

/**
 * The same backend for requests without a signature.
 *
 * @param keyOf - returns the key in Base64; undefined, if the backend needs no signature.
 */
export function signedBackend(
  backend: Backend,
  account: string,
  keyOf: () => Promise<string | undefined>,
): Backend {
  return async (request) => {
    const key = await keyOf();
    if (key === undefined) return backend(request);
    const headers = new Headers(request.headers);
    headers.set('x-ms-date', new Date(Date.now()).toUTCString());
    const { method, target } = incomingOf(request);
    const text = stringToSign('SharedKeyLite', account, { method, target, headers });
    const sign = await signingKey(keyBytes(key));
    headers.set('Authorization', `SharedKeyLite ${account}:${await sign(text)}`);
    return backend(new Request(request, { headers }));
  };
}
