/**
 * Decides which requests are allowed.
 *
 * Source: auth of the spec, 5.1 and 5.8.
 *
 * @module
 */

import { checkedOptions, typeError } from '../../base/options.js';
import type { FindPolicy } from './policies.js';
import { FAILED, MALFORMED, NO_TOKENS, type Refusal } from './refusal.js';
import { checkSas, readParameters, type SasPermissions, type Origin } from './shared-access.js';
import { dateOf, stringToSign, type Scheme, type SignedRequest } from './shared-key.js';
import { isSignedBy, keyBytes, signingKey, type HmacSha256, type SigningKey } from './signature.js';
import type { TokenCheck } from './tokens.js';

/** The account, and the keys that sign its requests. */
export interface AccountKeys {
  readonly account: string;
  /** One or two keys in Base64; either is accepted. */
  readonly keys: readonly string[];
  /**
   * Computes signatures: by default WebCrypto, which every platform has. A synchronous function
   * spares each request a way to another thread and back: `(key, text) => createHmac('sha256',
   * key).update(text).digest('base64')` of `node:crypto`, say.
   */
  readonly hmacSha256?: HmacSha256 | undefined;
}

/** A request and its origin. */
export interface AuthenticatedRequest extends SignedRequest {
  readonly origin: Origin;
}

/** The permissions of a request, or its refusal; undefined, if it may do everything. */
export type Authenticator = (
  request: AuthenticatedRequest,
) => Promise<SasPermissions | Refusal | undefined>;

// The greatest difference from the clock of the client, in both directions.
const MAX_CLOCK_SKEW_MILLISECONDS = 15 * 60 * 1000;

/**
 * @param checkToken - without it, no token is accepted.
 * @throws a `TypeError`, if there is no key, or a key is not Base64.
 */
export function authenticatorFor(
  given: Partial<AccountKeys> | undefined,
  findPolicy: FindPolicy,
  checkToken?: TokenCheck,
): Authenticator {
  const { account, keys, hmacSha256 } = checkedOptions('authentication', given, OPTIONS, typeError);
  if (!account || !keys?.length) {
    throw new TypeError('authentication must be "anonymous", or name an account and its keys');
  }
  const decoded = keys.map(keyBytes);
  let imported: Promise<SigningKey[]> | undefined;
  // Every caller awaits the import, so a rejection always has a handler.
  const signingKeys = () =>
    (imported ??= Promise.all(decoded.map((bytes) => signingKey(bytes, hmacSha256))));
  return async (request) => {
    // Browsers make such requests themselves, and sign nothing.
    if (request.method === 'OPTIONS') return undefined;
    const authorization = request.headers.get('Authorization');
    if (authorization === null) {
      const parameters = readParameters(request.target.replace(/^[^?]*\??/, ''));
      if (parameters?.['sig'] === undefined) return FAILED;
      const signer = { account, keys: await signingKeys(), findPolicy };
      return checkSas(parameters, signer, request.origin);
    }
    const [, token] = /^Bearer\b *(.*)$/is.exec(authorization) ?? [];
    if (token !== undefined) return checkToken ? checkToken(token, request.target) : NO_TOKENS;
    const credentials = /^(SharedKey|SharedKeyLite) ([^:\s]+):(\S+)$/.exec(authorization);
    if (!credentials) return MALFORMED;
    const [, scheme, name, signature] = credentials as unknown as [string, Scheme, string, string];
    const text = stringToSign(scheme, account, request);
    const isSigned = await isSignedBy(await signingKeys(), text, signature);
    return isSigned && name === account && isRecent(dateOf(request)) ? undefined : FAILED;
  };
}

const OPTIONS = { account: 'string', keys: 'strings', hmacSha256: 'function' } as const;

const RFC_1123 = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

function isRecent(date: string | undefined): boolean {
  if (date === undefined || !RFC_1123.test(date)) return false;
  return Math.abs(Date.now() - Date.parse(date)) <= MAX_CLOCK_SKEW_MILLISECONDS;
}
