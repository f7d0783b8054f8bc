/**
 * The indexes of a declared table.
 *
 * @module
 */

import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import { SYSTEM_NAMES } from '../base/system-names.js';
import { isCovering, type CoveringIndex, type TableIndex } from '../entity/indexes.js';
import type { AppNames } from '../entity/row-form.js';
import type { TableProperties } from './rows.js';

/** The properties that an index can have. */
export type IndexableName<Row> = Exclude<keyof Row & string, 'timestamp' | 'etag'>;

const WORDS = /^words\((.*)\)$/;

/**
 * An index as the core takes it: of an array it has the items, and of a text all parts. One that
 * includes every property of a row has all of it.
 */
export function storedIndex(
  properties: TableProperties,
  names: AppNames,
  index: TableIndex,
): TableIndex {
  if (!isCovering(index)) return storedTerms(properties, names, index as readonly string[]);
  const by = storedTerms(properties, names, index.by);
  if (index.include === 'all') return { by, include: 'all' };
  // Without what every entry has.
  const stored = (of: readonly string[]) =>
    names.selectOf(of).filter((name) => !Object.hasOwn(SYSTEM_NAMES, name));
  const include = stored(index.include);
  const known = new Set([...include, ...index.by.map(nameOf)]);
  if (stored(Object.keys(properties)).every((name) => known.has(name)))
    return { by, include: 'all' };
  return { by, include: include.length ? include : ['rowKey'] };
}

const nameOf = (term: string) => term.trim().split(/\s+/)[0]!;

function storedTerms(
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
  if (!areIndexes(indexes)) {
    return fail(
      "has indexes that are not a list, of lists of names as [['email']] or of { by, include }",
    );
  }
  if (indexes.length > MAX_INDEXES) {
    fail(`has ${indexes.length} indexes; the limit is ${MAX_INDEXES}`);
  }
  const seen = new Set<string>();
  for (const index of indexes) {
    const text = checkIndex(fail, properties, index);
    if (seen.has(text)) fail(`has an index twice: ${text}`);
    seen.add(text);
  }
}

function checkIndex(
  fail: (what: string) => void,
  properties: TableProperties,
  index: Index,
): string {
  if (isCovering(index)) {
    checkIncluded(fail, properties, index);
    return checkValues(fail, properties, index.by);
  }
  const words = WORDS.exec(index[0] ?? '')?.[1];
  return words === undefined
    ? checkValues(fail, properties, index)
    : checkWords(fail, properties, words, index);
}

function checkIncluded(
  fail: (what: string) => void,
  properties: TableProperties,
  { by, include }: CoveringIndex,
): void {
  const isParted = (name: string) =>
    Object.hasOwn(properties, name) && properties[name]!.rules.parted;
  const array = by.map(nameOf).find(isParted);
  if (array !== undefined) fail(`has an index of the items of ${shown(array)} with \`include\``);
  if (include === 'all') return;
  if (!include.length) fail('has an index that includes no property; write the list alone');
  for (const name of include) {
    if (!Object.hasOwn(properties, name)) {
      fail(`has an index that includes ${shown(name)}, which is not declared`);
    }
    if (isParted(name)) {
      fail(
        `has an index that includes ${shown(name)}, which is stored in parts; only ` +
          "include: 'all' has such properties",
      );
    }
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

// As it is given.
type Index = readonly string[] | CoveringIndex;

// Array.from() also visits the gaps of a list.
const areIndexes = (indexes: unknown): indexes is Index[] =>
  Array.isArray(indexes) && Array.from<unknown>(indexes).every(isIndex);

function isIndex(index: unknown): boolean {
  if (!isObject(index) || Array.isArray(index)) return isListOfTexts(index);
  const { by, include, ...others } = index as Record<string, unknown>;
  const isKnown = Object.keys(others).length === 0;
  return isKnown && isListOfTexts(by) && (include === 'all' || isListOfTexts(include));
}

const isListOfTexts = (index: unknown) =>
  Array.isArray(index) && Array.from<unknown>(index).every((term) => typeof term === 'string');
