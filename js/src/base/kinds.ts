/**
 * The kind of a value of any realm: a frame, a context of `vm`, jsdom. `instanceof` knows only the
 * classes of one realm, so it is not used on values from callers.
 *
 * @module
 */

/** The name of a built-in class, or the value of `Symbol.toStringTag`. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}

export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && tagOf(value) === 'Uint8Array';
}

export function isModule(value: unknown): value is WebAssembly.Module {
  return tagOf(value) === 'WebAssembly.Module';
}

export function isBufferSource(value: unknown): value is BufferSource {
  return ArrayBuffer.isView(value) || tagOf(value) === 'ArrayBuffer';
}

/** An address as an object: a `URL`. */
export function isUrl(value: unknown): value is URL {
  return isObject(value) && typeof (value as URL).href === 'string';
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether `value` has a method of that name. */
export function hasMethod<K extends PropertyKey>(
  value: unknown,
  name: K,
): value is Record<K, (...args: never[]) => unknown> {
  return typeof (value as Record<K, unknown> | null | undefined)?.[name] === 'function';
}
