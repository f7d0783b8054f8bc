/**
 * Keeps what is the same in a new result.
 *
 * @module
 */

import { isDate, isObject } from '../base/kinds.js';

/**
 * Returns `next`, in which each part that equals the same part of `known` is that object. If all
 * parts are equal, it returns `known`. So a component sees which parts are unchanged. Parts are
 * arrays and plain objects.
 */
export function withKnownParts<T>(known: unknown, next: T): T {
  if (Object.is(known, next)) return next;
  if (!isObject(known) || !isObject(next)) return next;
  if (isDate(next)) return isDate(known) && +known === +next ? (known as T) : next;
  if (Object.getPrototypeOf(known) !== Object.getPrototypeOf(next)) return next;
  const parts = next as Record<string, unknown>;
  const names = Object.keys(parts);
  let isSame = names.length === Object.keys(known).length;
  for (const name of names) {
    const before = Object.hasOwn(known, name) ? (known as typeof parts)[name] : undefined;
    parts[name] = withKnownParts(before, parts[name]);
    isSame &&= Object.hasOwn(known, name) && Object.is(parts[name], before);
  }
  return isSame ? (known as T) : next;
}
