/**
 * Signatures of the service: Base64 of the HMAC-SHA256 of a text.
 *
 * @module
 */

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** A key of an account, ready for use. */
export type SigningKey = CryptoKey;

/**
 * @param key - in Base64, as the service hands it out.
 * @throws a `TypeError`, if it is not Base64 or empty.
 */
export async function signingKey(key: string): Promise<SigningKey> {
  const bytes = decoded(key);
  if (!bytes?.length) throw new TypeError('an account key must be Base64');
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify']);
}

export async function sign(key: SigningKey, text: string): Promise<string> {
  const signature = await crypto.subtle.sign(HMAC, key, new TextEncoder().encode(text));
  return toBase64(new Uint8Array(signature));
}

/** Whether one of the keys made the signature. Takes as long for a wrong one as for a right one. */
export async function isSignedBy(
  keys: readonly SigningKey[],
  text: string,
  signature: string,
): Promise<boolean> {
  const given = decoded(signature);
  if (!given) return false;
  const bytes = new TextEncoder().encode(text);
  // The platform compares in constant time, and all keys are tried whichever fits.
  const results = await Promise.all(
    keys.map((key) => crypto.subtle.verify(HMAC, key, given, bytes)),
  );
  return results.includes(true);
}

// Undefined for any spelling but the one that encoding gives: a bit that means nothing must not
// make another signature of it.
function decoded(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (octet) => octet.charCodeAt(0));
    return toBase64(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

// Of a few bytes.
const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
