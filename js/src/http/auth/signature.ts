/**
 * Signatures of the service: Base64 of the HMAC-SHA256 of a text.
 *
 * @module
 */

import { base64ToBytes, bytesToBase64 } from '../../base/base64.js';

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** HMAC-SHA256 of a text in UTF-8 under a key, in Base64. */
export type HmacSha256 = (key: Uint8Array, text: string) => string | Promise<string>;

/** A key of an account, ready for use: signs a text. */
export type SigningKey = (text: string) => string | Promise<string>;

/**
 * The bytes of a key in Base64, as the service hands it out.
 *
 * @throws a `TypeError`, if it is not Base64 or empty. Its message does not show the key.
 */
export function keyBytes(key: string): Uint8Array {
  const bytes = decoded(key);
  if (!bytes?.length) throw new TypeError('an account key must be Base64');
  return bytes;
}

/** @param hmac - that of WebCrypto, if not given. */
export async function signingKey(bytes: Uint8Array, hmac?: HmacSha256): Promise<SigningKey> {
  const key = new Uint8Array(bytes);
  if (hmac) return (text) => hmac(key, text);
  const encoder = new TextEncoder();
  const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['sign']);
  return async (text) =>
    bytesToBase64(new Uint8Array(await crypto.subtle.sign(HMAC, imported, encoder.encode(text))));
}

/** Whether one of the keys made the signature. Takes as long for a wrong one as for a right one. */
export async function isSignedBy(
  keys: readonly SigningKey[],
  text: string,
  signature: string,
): Promise<boolean> {
  let isSigned = false;
  // All keys are tried whichever fits.
  for (const sign of [...keys]) {
    if (isSame(await sign(text), signature)) isSigned = true;
  }
  return isSigned;
}

// Looks at all of it wherever the first difference is.  No other spelling of the same bytes will
// do: a bit that means nothing must not make another signature of it.
function isSame(made: string, given: string): boolean {
  let difference = made.length ^ given.length;
  for (let i = 0; i < made.length; i++) difference |= made.charCodeAt(i) ^ given.charCodeAt(i);
  return difference === 0;
}

// Undefined for any spelling but the one that encoding gives.
function decoded(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = base64ToBytes(text);
    return bytesToBase64(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
