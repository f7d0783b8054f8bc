/**
 * The indexes of a declared table.
 *
 * @module
 */

import { shown } from '../base/shown.js';
import type { AppNames } from '../entity/row-form.js';
import type { TableProperties } from './rows.js';

/** The properties that an index can have. */
export type IndexableName<Row> = Exclude<keyof Row & string, 'timestamp' | 'etag'>;

const WORDS = /^words\((.*)\)$/;

/** An index as the core takes it: of an array it has the items, and of a text all parts. */
export function storedIndex(
  properties: TableProperties,
  names: AppNames,
  index: readonly string[],
): string[] {
  const isParted = (name: string) =>
    Object.hasOwn(properties, name) && properties[name]!.rules.parted;
  const words = WORDS.exec(index[0] ?? '')?.[1];
  if (words !== undefined) return [isParted(words) ? `words(whole(${words}))` : index[0]!];
  return names
    .orderOf(index)
    .map((term) =>
      term.trim().replace(/^\S+/, (name) => (isParted(name) ? `items(${name})` : name)),
    );
}

// The limits of the core.
const MAX_INDEXES = 16;
const MAX_INDEX_PROPERTIES = 8;

/** Calls `fail` for an index that is invalid. `fail` throws. */
export function checkIndexes(
  fail: (what: string) => void,
  properties: TableProperties,
  indexes: unknown,
): void {
  if (indexes === undefined) return;
  if (!areListsOfTexts(indexes)) {
    return fail("has indexes that are not a list of lists of names, as [['email']] is");
  }
  if (indexes.length > MAX_INDEXES) {
    fail(`has ${indexes.length} indexes; the limit is ${MAX_INDEXES}`);
  }
  const seen = new Set<string>();
  for (const index of indexes) {
    const words = WORDS.exec(index[0] ?? '')?.[1];
    const text =
      words === undefined
        ? checkValues(fail, properties, index)
        : checkWords(fail, properties, words, index);
    if (seen.has(text)) fail(`has an index twice: ${text}`);
    seen.add(text);
  }
}

// Returns the index with all directions, so that equal indexes have the same text.
function checkValues(
  fail: (what: string) => void,
  properties: TableProperties,
  index: readonly string[],
): string {
  const terms = index.map((term) => term.trim().split(/\s+/));
  const arrays: string[] = [];
  for (const [name = '', direction = 'asc', ...rest] of terms) {
    if (name.includes('(')) {
      fail(`has an index by ${shown(name)}; an index of words has one text: ['words(name)']`);
    }
    if (name === 'timestamp') {
      fail('has an index by the timestamp, which changes with every write');
    }
    if (!Object.hasOwn(properties, name)) {
      fail(`has an index by ${shown(name)}, which is not declared`);
    }
    const { parted } = properties[name]!.rules;
    if (parted && parted.kind !== 'array') {
      fail(`has an index by ${shown(name)}, which is stored in parts and is no array`);
    }
    if (parted) arrays.push(name);
    if (!['asc', 'desc'].includes(direction) || rest.length) {
      fail(`has an index by ${shown(name)} with another direction than asc or desc`);
    }
  }
  if (arrays.length > 1) fail(`has an index by several arrays: ${arrays.join()}`);
  const names = terms.map(([name]) => name);
  if (!names.length || names.length > MAX_INDEX_PROPERTIES) {
    fail(`has an index by ${names.length} properties; it takes 1 to ${MAX_INDEX_PROPERTIES}`);
  }
  const text = terms.map(([name, direction]) => `${name} ${direction ?? 'asc'}`).join();
  if (new Set(names).size < names.length) fail(`has an index with a property twice: ${text}`);
  return text;
}

function checkWords(
  fail: (what: string) => void,
  properties: TableProperties,
  name: string,
  index: readonly string[],
): string {
  const isKey = name === 'partitionKey' || name === 'rowKey';
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const { type, parted } = property?.rules ?? {};
  if (isKey || type !== 'String' || (parted && parted.kind !== 'text')) {
    fail(`has an index of the words of ${shown(name)}, which is not a text`);
  }
  if (index.length > 1) fail(`has an index of words with other properties: ${index.join()}`);
  return `words(${name})`;
}

// Array.from() also visits the gaps of a list.
const areListsOfTexts = (indexes: unknown): indexes is string[][] =>
  Array.isArray(indexes) && Array.from<unknown>(indexes).every(isListOfTexts);

const isListOfTexts = (index: unknown) =>
  Array.isArray(index) && Array.from<unknown>(index).every((term) => typeof term === 'string');
