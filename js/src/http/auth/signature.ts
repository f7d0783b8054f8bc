/**
 * Signatures of the service: Base64 of the HMAC-SHA256 of a text.
 *
 * @module
 */

import { base64ToBytes, bytesToBase64 } from '../../base/base64.js';

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** HMAC-SHA256 of a text in UTF-8 under a key, in Base64. */
export type HmacSha256 = (key: Uint8Array, text: string) => string | Promise<string>;

/** A key of an account, ready for use: it signs a text. */
export type SigningKey = (text: string) => string | Promise<string>;

/**
 * The bytes of a key in Base64, the form of the service.
 *
 * @throws a `TypeError`, if it is not Base64 or empty. Its message does not show the key.
 */
export function keyBytes(key: string): Uint8Array {
  const bytes = decoded(key);
  if (!bytes?.length) throw new TypeError('an account key must be Base64');
  return bytes;
}

/** @param hmac - by default that of WebCrypto. */
export async function signingKey(bytes: Uint8Array, hmac?: HmacSha256): Promise<SigningKey> {
  const key = new Uint8Array(bytes);
  if (hmac) return (text) => hmac(key, text);
  const encoder = new TextEncoder();
  const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['sign']);
  return async (text) =>
    bytesToBase64(new Uint8Array(await crypto.subtle.sign(HMAC, imported, encoder.encode(text))));
}

/** Whether one of the keys made the signature. A wrong signature takes as long as a right one. */
export async function isSignedBy(
  keys: readonly SigningKey[],
  text: string,
  signature: string,
): Promise<boolean> {
  let isSigned = false;
  // All keys are tried, whichever fits.
  for (const sign of [...keys]) {
    if (isSame(await sign(text), signature)) isSigned = true;
  }
  return isSigned;
}

// Compares all of the text, wherever the first difference is. Another spelling of the same bytes is
// wrong, too: a bit without meaning must not make another signature.
function isSame(made: string, given: string): boolean {
  let difference = made.length ^ given.length;
  for (let i = 0; i < made.length; i++) difference |= made.charCodeAt(i) ^ given.charCodeAt(i);
  return difference === 0;
}

// Undefined for another spelling than the one that encoding gives.
function decoded(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = base64ToBytes(text);
    return bytesToBase64(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
