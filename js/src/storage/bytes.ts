/**
 * What adapters do with values.
 *
 * @module
 */

/** True if both are absent, or both hold the same bytes. */
export function sameBytes(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (!one || !other) return one === other;
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
