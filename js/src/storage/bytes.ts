/**
 * Compares values of adapters.
 *
 * @module
 */

/** True if both are absent, or both hold the same bytes. */
export function sameBytes(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (!one || !other) return one === other;
  if (one.length !== other.length) return false;
  // A loop, because a call for each byte takes as long as a small transaction.
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
