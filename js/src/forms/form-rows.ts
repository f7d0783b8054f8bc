/**
 * What reading a form of a page and reading a request have in common.
 *
 * @module
 */

import { MAX_ENTITY_BYTES } from '../base/limits.js';
import type { PropertyRules } from '../schema/properties.js';
import type { TableProperties } from '../schema/rows.js';

type Values = Record<string, unknown>;

/** The properties that a form may set. */
export function namesOf(
  properties: TableProperties,
  names: readonly string[] = Object.keys(properties),
): readonly string[] {
  const unknownName = names.find((name) => !Object.hasOwn(properties, name));
  if (unknownName === undefined) return names;
  throw new TypeError(`The table has no property "${unknownName}".`);
}

/** A row that may have any name: of an ordinary object, `__proto__` is no member. */
export const emptyRow = () => Object.create(null) as Values;

/** Adds the values that are not for the user. */
export function withValues(values: unknown): (row: Values) => Values {
  if (typeof values !== 'function') return (row) => ({ ...row, ...(values as object) });
  return (row) => ({ ...row, ...(values as (row: Values) => object)(row) });
}

/** The value of a file: the file itself, with its type, or its bytes. */
export async function fileValue(rules: PropertyRules, file: Blob): Promise<Blob | Uint8Array> {
  return rules.parted?.kind === 'blob' ? file : await bytesOf(file);
}

/** A file as bytes; of one that no entity has room for, only as many as show that. */
async function bytesOf(file: Blob): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, MAX_ENTITY_BYTES + 1).arrayBuffer());
}
