/**
 * Base64 in the standard alphabet, with padding.
 *
 * @module
 */

// Each byte becomes an argument of a call, and engines limit the number of arguments.
const CHUNK_BYTES = 8192;

export function bytesToBase64(bytes: Uint8Array): string {
  let octets = '';
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    octets += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  }
  return btoa(octets);
}

/** Throws the error of `atob`, if the text is not Base64. */
export function base64ToBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (octet) => octet.charCodeAt(0));
}
