/**
 * The indexes of a declared table.
 *
 * @module
 */

import { shown } from '../base/shown.js';
import type { TableProperties } from './rows.js';

/** The names that an index takes. */
export type IndexableName<Row> = Exclude<keyof Row & string, 'timestamp' | 'etag'>;

// As the core has them.
const MAX_INDEXES = 16;
const MAX_INDEX_PROPERTIES = 8;

/** Calls `fail`, if the indexes are invalid. */
export function checkIndexes(
  fail: (what: string) => void,
  properties: TableProperties,
  indexes: unknown,
): void {
  if (indexes === undefined) return;
  if (!Array.isArray(indexes) || !indexes.every(isListOfTexts)) {
    return fail(`has the indexes ${shown(indexes)}, not lists of names`);
  }
  if (indexes.length > MAX_INDEXES) {
    fail(`has ${indexes.length} indexes; the limit is ${MAX_INDEXES}`);
  }
  const seen = new Set<string>();
  for (const index of indexes) {
    const terms = index.map((term) => term.trim().split(/\s+/));
    for (const [name = '', direction = 'asc', ...rest] of terms) {
      if (!Object.hasOwn(properties, name)) fail(`has an index by ${shown(name)}, which it lacks`);
      if (!['asc', 'desc'].includes(direction) || rest.length) {
        fail(`has an index by ${shown(name)} with another word than asc or desc`);
      }
    }
    const names = terms.map(([name]) => name);
    if (!names.length || names.length > MAX_INDEX_PROPERTIES) {
      fail(`has an index by ${names.length} properties; it takes 1 to ${MAX_INDEX_PROPERTIES}`);
    }
    const text = terms.map(([name, direction]) => `${name} ${direction ?? 'asc'}`).join();
    if (new Set(names).size < names.length) fail(`has an index with a property twice: ${text}`);
    if (seen.has(text)) fail(`has an index twice: ${text}`);
    seen.add(text);
  }
}

const isListOfTexts = (index: unknown): index is string[] =>
  Array.isArray(index) && index.every((term) => typeof term === 'string');
