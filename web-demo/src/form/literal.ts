/**
 * Values as JavaScript has them.
 *
 * @module
 */

/** A short text for a value of a row. */
export function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Date) return `Date ${value.toISOString().replace(/(:00)?\.000Z$/, 'Z')}`;
  if (value instanceof Uint8Array) return `Uint8Array, ${value.length.toLocaleString('en')} bytes`;
  return typeof value === 'string' ? `'${value}'` : String(value);
}
