/**
 * Keys under the names of an app: the option `key` of `defineTable`.
 *
 * The fields of a key stand in rows, and nowhere in stored entities but in the two keys. A key of
 * several fields, or of one that is no text, is written as `key-fields.ts` says.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isDate, isObject } from '../base/kinds.js';
import { own } from '../base/own.js';
import { shown, shownValue } from '../base/shown.js';
import { define } from '../entity/json.js';
import type { EntityKeys } from '../entity/keys.js';
import { wrong } from './constraints.js';
import { fieldOf, fits, type Field } from './key-fields.js';
import { conditionsOn, type Comparison, type Part } from './key-ranges.js';
import { CONTROL, isItself, plainText } from './plain-key.js';
import type { PropertyDefinition } from './properties.js';
import type { TableProperties } from './rows.js';
import { typeText } from './values.js';

type Values = Readonly<Record<string, unknown>>;

/** The PartitionKey of all rows of a table whose key has one field. */
const ALL = 'all';

/** A comparison of a field of a key, within a filter. */
export interface KeyComparison extends Comparison {
  readonly keys: RowKeys;
}

/** What is wrong with a field of a key. */
export interface FieldProblem {
  readonly name: string;
  readonly rule: 'schema-required' | 'schema-type' | 'key-character';
  readonly what: string;
}

/** The keys of the rows of a table that has the option `key`. */
export class RowKeys {
  /** The fields, from the first one of the PartitionKey. */
  readonly names: readonly string[];
  readonly #parts: readonly [Part, Part];
  // The last key of each part, because rows that are read together often share one.
  readonly #last = new Map<Part, { readonly key: string; readonly values: Values }>();

  /** @throws TypeError, if no table can have this key. */
  constructor(table: string, properties: TableProperties, option: unknown) {
    const [partition, row] = namesIn(table, option);
    this.#parts = [
      partOf(table, properties, 'partitionKey', partition),
      partOf(table, properties, 'rowKey', row),
    ];
    this.names = this.#parts.flatMap(({ fields }) => fields.map(({ name }) => name));
    const twice = this.names.find((name, at) => this.names.indexOf(name) !== at);
    if (twice !== undefined) throw wrong(table, twice, 'is in its key twice');
  }

  /** What is wrong with the fields of a row. Their constraints are not checked. */
  *problems(row: object): Generator<FieldProblem> {
    for (const { fields } of this.#parts) yield* problemsOf(fields, row);
  }

  /**
   * Returns the keys of a row, or of an object with the fields.
   *
   * @throws {@link TableError} `InvalidInput`, if no row has such a field.
   */
  encode(row: object): EntityKeys {
    refuseFirst(this.problems(row));
    const [partition, second] = this.#parts;
    return { partitionKey: written(partition, row), rowKey: written(second, row) };
  }

  /** Whether an object has one of the fields. */
  isNamedIn(row: object): boolean {
    return this.names.some((name) => own(row, name) !== undefined);
  }

  /**
   * Returns the fields of the keys that are there.
   *
   * @throws {@link TableError} `InvalidInput`, if no row has such a key.
   */
  decode(keys: Partial<EntityKeys>): Record<string, unknown> {
    let values: Record<string, unknown> = {};
    for (const part of this.#parts) {
      const key = keys[part.name];
      if (typeof key !== 'string' || isDecodedAtOnce(values, part, key)) continue;
      values = { ...values, ...this.#decoded(part, key) };
    }
    return values;
  }

  #decoded(part: Part, key: string): Values {
    const last = this.#last.get(part);
    if (last?.key === key) return last.values;
    const values: Record<string, unknown> = {};
    decodeInto(values, part, key);
    // A row may change its Date.
    if (!Object.values(values).some(isDate)) this.#last.set(part, { key, values });
    return values;
  }

  /**
   * Returns the conditions on stored keys for comparisons that must hold together.
   *
   * @throws {@link TableError} `InvalidInput`, if a comparison needs one of a field before it.
   */
  conditionsOf(comparisons: readonly KeyComparison[]): string[] {
    return this.#parts.flatMap((part) => {
      if (!part.fields.length) return [`${part.wireName} eq '${ALL}'`];
      const names = part.fields.map(({ name }) => name);
      return conditionsOn(
        part,
        comparisons.filter(({ name }) => names.includes(name)),
      );
    });
  }

  /** The key that has this field. `isText` says whether the key sorts as this text alone. */
  partOf(name: string): { readonly stored: keyof EntityKeys; readonly isText: boolean } {
    const part = this.#parts.find(({ fields }) => fields.some((field) => field.name === name))!;
    const [field] = part.fields;
    const isAlone = part.fields.length === 1 && !field!.isDescending;
    return { stored: part.name, isText: isAlone && field!.rules.type === 'String' };
  }

  /** How a field is written. */
  fieldOf(name: string): Field {
    return this.#parts.flatMap(({ fields }) => fields).find((field) => field.name === name)!;
  }

  /** The fields of each key, from the first. */
  get fields(): readonly (readonly [stored: keyof EntityKeys, names: readonly string[]])[] {
    return this.#parts.map(
      ({ name, fields }) => [name, fields.map((field) => field.name)] as const,
    );
  }
}

function namesIn(table: string, option: unknown): [readonly string[], readonly string[]] {
  const isList = (names: unknown, least: number): names is string[] =>
    Array.isArray(names) &&
    names.length >= least &&
    names.every((name) => typeof name === 'string');
  if (typeof option === 'string') return [[], [option]];
  if (isList(option, 2) && option.length === 2) return [[option[0]!], [option[1]!]];
  const { partition, row }: { partition?: unknown; row?: unknown } = isObject(option) ? option : {};
  if (isList(partition, 1) && isList(row, 1)) return [[...partition], [...row]];
  throw new TypeError(
    `The key of ${table} is the name of a property, two of them, or lists of them: ` +
      `{ partition: ['owner'], row: ['kind', 'id'] }. It is not ${shown(option)}.`,
  );
}

function partOf(
  table: string,
  properties: TableProperties,
  name: keyof EntityKeys,
  names: readonly string[],
): Part {
  const fields = names.map((term, at) => {
    const [field = '', direction = 'asc', ...rest] = term.split(' ');
    if (!/^(asc|desc)$/.test(direction) || rest.length) {
      throw wrong(table, field, `is in its key with another direction than asc or desc`);
    }
    const property = own(properties, field) as PropertyDefinition | undefined;
    if (!property) throw wrong(table, field, 'is in its key, and not declared');
    const { rules } = property;
    if (rules.presence === 'optional') throw wrong(table, field, 'is in its key, and optional');
    // Checks of the property run where those of all properties do.
    const plain = { ...rules, presence: 'required', checks: [] } as const;
    const isDescending = direction === 'desc';
    const made = fieldOf(field, plain, isDescending, at === names.length - 1);
    const isPlain = names.length === 1 && rules.type === 'String' && !isDescending;
    return isPlain ? { ...made, ...plainText } : made;
  });
  return { name, wireName: name === 'rowKey' ? 'RowKey' : 'PartitionKey', fields };
}

/**
 * Gives a row the keys of its entity, for what compares keys: live results, say. They are not
 * enumerable, so that the row has only its fields.
 */
export function withHiddenKeys(
  row: Record<string, unknown>,
  { partitionKey, rowKey }: Partial<EntityKeys>,
): Record<string, unknown> {
  return Object.defineProperties(row, {
    partitionKey: { value: partitionKey, configurable: true },
    rowKey: { value: rowKey, configurable: true },
  });
}

// -------------------------------------------------------------------- fields

function* problemsOf(fields: readonly Field[], row: object): Generator<FieldProblem> {
  for (const field of fields) {
    const problem = problemOf(field, own(row, field.name));
    if (problem) yield { name: field.name, ...problem };
  }
}

function refuseFirst(problems: Iterable<FieldProblem>): void {
  const [problem] = problems;
  if (problem) throw invalidInput(`Property ${shown(problem.name)} ${problem.what}.`);
}

function problemOf(field: Field, value: unknown): Omit<FieldProblem, 'name'> | undefined {
  const { rules } = field;
  if (value === undefined || value === null) {
    return { rule: 'schema-required', what: 'is missing, and part of the key' };
  }
  if (!fits(rules, value)) {
    const what = `is ${shownValue(value)}, which is not ${typeText(rules)}`;
    return { rule: 'schema-type', what };
  }
  const at = field.encode === plainText.encode ? (value as string).search(CONTROL) : -1;
  if (at < 0) return undefined;
  const character = shown((value as string)[at]);
  const what = `holds ${shownValue(value)}, which has ${character} at position ${at}: no key has it`;
  return { rule: 'key-character', what };
}

function written({ fields }: Part, row: object, count = fields.length): string {
  if (!fields.length) return ALL;
  return fields
    .slice(0, count)
    .map(({ name, encode }) => encode((row as Values)[name]))
    .join('');
}

// Whether a key is that of all rows, or the text of its only field.
function isDecodedAtOnce(values: Record<string, unknown>, part: Part, key: string): boolean {
  const [first] = part.fields;
  if (!first) return key === ALL;
  if (first.encode !== plainText.encode || !isItself(key)) return false;
  define(values, first.name, key);
  return true;
}

function decodeInto(values: Record<string, unknown>, part: Part, key: string): void {
  let rest = key;
  try {
    for (const { name, pattern, decode } of part.fields) {
      const [found, content = ''] = pattern.exec(rest)!;
      define(values, name, decode(content));
      rest = rest.slice(found.length);
    }
    // Only in the one form in which the key is written.
    if (part.fields.every((field) => fits(field.rules, values[field.name]))) {
      if (!rest && written(part, values) === key) return;
    }
  } catch {
    // It is too short, or out of the range of its type.
  }
  const names = part.fields.map(({ name }) => name).join(', ');
  const needed = names ? `made of ${names}` : `'${ALL}', as all rows have it`;
  throw invalidInput(
    `A row has the ${part.wireName} ${shownValue(key)}, which is not ${needed}. ${WHO_STORED_IT}`,
  );
}

/** The error of an entity that has another value in a property than in the field of its key. */
export const storedUnderAnotherKey = (name: string, stored: unknown, ofKey: unknown) =>
  invalidInput(
    `A row has ${shownValue(stored)} as its property ${shown(name)}, and ${shownValue(ofKey)} in its key. ${WHO_STORED_IT}`,
  );

const WHO_STORED_IT =
  'Another program has stored it, or this one when its table had another key. A key cannot ' +
  'change: declare a table with another name, and move the rows there.';
