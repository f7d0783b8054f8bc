/**
 * Both keys of a table: what they are made of, and filters for ranges of them.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { own } from '../base/own.js';
import { shown } from '../base/shown.js';
import { textAfter } from '../base/text-after.js';
import type { EntityKeys } from '../entity/keys.js';
import { odata } from '../entity/odata.js';
import { brokenBy } from './constraints.js';
import { KeyDefinition, MAX_KEY_LENGTH, type KeyValues } from './keys.js';
import type { PropertyDefinition, PropertyRules } from './properties.js';
import type { Row } from './rows.js';
import { isWellFormed } from './values.js';

type Values = Readonly<Record<string, unknown>>;

/** The fields of one key: those of `t.key`, or the key itself. */
type FieldsOf<Property, Name extends string> =
  Property extends KeyDefinition<infer Fields>
    ? KeyValues<Fields>
    : Property extends { '~types'?: { value: infer Value } }
      ? { [Key in Name]: Value }
      : never;

/** The fields of both keys; any, if the type is that of all tables. */
export type TableKeyFields<
  Properties,
  Names extends string = keyof EntityKeys,
> = string extends keyof Properties
  ? Record<string, unknown>
  : Properties extends { readonly partitionKey: infer Partition; readonly rowKey: infer Row }
    ? FieldsOf<Partition, 'partitionKey'> & FieldsOf<Row, 'rowKey'>
    : Pick<Row<Properties>, Names & keyof Row<Properties>>;

/** The keys of a table, made of values and taken apart again. */
export class TableKeys<Fields extends object> {
  readonly #keys: readonly Key[];

  /** @internal */
  constructor(keys: readonly [Key, Key]) {
    this.#keys = keys;
    const names = this.#keys.flatMap((key) => key.names);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) throw new TypeError(`Both keys have a field ${shown(twice)}.`);
  }

  /**
   * Returns both keys of a row.
   *
   * @throws {@link TableError} `InvalidInput`, if a value is missing, has another type or breaks a
   * constraint, or if a key is too long or has a character that no key may have.
   */
  encode(fields: Fields): EntityKeys {
    this.#checkNames(fields);
    const [partitionKey, rowKey] = this.#keys.map((key) => key.encode(fields));
    return { partitionKey: partitionKey!, rowKey: rowKey! };
  }

  /**
   * Returns the values of both keys.
   *
   * @throws {@link TableError} `InvalidInput`, if `encode` never makes these keys.
   */
  decode(keys: EntityKeys): Fields {
    if (!isObject(keys)) throw invalidInput(`Keys must be an object, not ${shown(keys)}.`);
    const { partitionKey, rowKey } = keys;
    const [first, second] = this.#keys;
    return { ...first!.decode(partitionKey), ...second!.decode(rowKey) } as Fields;
  }

  /**
   * Returns the filter of all rows with these values. They are the values of the first fields: no
   * field is left out before one that is given.
   *
   * @throws {@link TableError} `InvalidInput`, if a field is left out before one that is given, or
   * as for `encode`.
   */
  range(first: Partial<Fields>): string {
    this.#checkNames(first);
    const given = first as Readonly<Record<string, unknown>>;
    let left = this.#count(given);
    const conditions = this.#keys.flatMap((key) => {
      const count = Math.min(left, key.names.length);
      left -= count;
      // A key without fields is the same in all rows.
      return count || !key.names.length ? conditionOf(key, given, count) : [];
    });
    return conditions.join(' and ');
  }

  // How many of the first fields are given.
  #count(given: Readonly<Record<string, unknown>>): number {
    const names = this.#keys.flatMap((key) => key.names);
    const isGiven = names.map((name) => own(given, name) !== undefined);
    const count = isGiven.includes(false) ? isGiven.indexOf(false) : names.length;
    const later = names.find((_, at) => at > count && isGiven[at]);
    if (later !== undefined || !count) {
      const before = later === undefined ? 'A range' : `A range with the field ${shown(later)}`;
      throw invalidInput(`${before} needs the field ${shown(names[count])}.`);
    }
    return count;
  }

  #checkNames(fields: object): void {
    if (!isObject(fields)) {
      throw invalidInput(`The fields of keys must be an object, not ${shown(fields)}.`);
    }
    const names = this.#keys.flatMap((key) => key.names);
    const unknownName = Object.keys(fields).find((name) => !names.includes(name));
    if (unknownName === undefined) return;
    throw invalidInput(`The keys have no field ${shown(unknownName)}, only ${names.join(', ')}.`);
  }
}

/**
 * Both keys of a table that declares them itself.
 *
 * @internal
 */
export const declaredKeys = (
  partitionKey: PropertyDefinition,
  rowKey: PropertyDefinition,
): readonly [Key, Key] => [keyOf('PartitionKey', partitionKey), keyOf('RowKey', rowKey)];

/**
 * One of the two keys.
 *
 * @internal
 */
export interface Key {
  readonly wireName: string;
  readonly names: readonly string[];
  encode(fields: object, count?: number): string;
  decode(key: string): object;
}

function keyOf(wireName: 'PartitionKey' | 'RowKey', property: PropertyDefinition): Key {
  const name = wireName === 'RowKey' ? 'rowKey' : 'partitionKey';
  // A class of this package: no other realm makes it.
  if ('encodeFirst' in property) {
    const made = property as KeyDefinition;
    return {
      wireName,
      names: made.names,
      encode: (fields, count = made.names.length) => made.encodeFirst(fields, count),
      decode: (key) => made.decode(key),
    };
  }
  return {
    wireName,
    names: [name],
    encode: (fields) => checkedKey(name, property.rules, own(fields as Values, name)),
    decode: (key) => ({ [name]: checkedKey(name, property.rules, key) }),
  };
}

// The core has the same rules. It checks each request, and this runs without a module.
const NOT_IN_KEYS = /[/\\#?\0-\x1f\x7f-\x9f]/;

function checkedKey(name: string, rules: PropertyRules, key: unknown): string {
  const fail = (what: string) => invalidInput(`The ${name} ${shown(key)} ${what}.`);
  if (typeof key !== 'string') {
    throw invalidInput(`The ${name} must be a string, not ${shown(key)}.`);
  }
  if (!isWellFormed(key)) throw fail('is not well-formed text');
  if (key.length > MAX_KEY_LENGTH) {
    throw fail(`has ${key.length} UTF-16 units; the limit is ${MAX_KEY_LENGTH}`);
  }
  const forbidden = NOT_IN_KEYS.exec(key);
  if (forbidden) throw fail(`has ${shown(forbidden[0])} at position ${forbidden.index}`);
  const broken = brokenBy(rules, key);
  if (broken) throw fail(`breaks its ${broken}`);
  return key;
}

function conditionOf(key: Key, given: object, count: number): string[] {
  const start = key.encode(given, count);
  const literal = odata`${start}`;
  if (count === key.names.length) return [`${key.wireName} eq ${literal}`];
  // The encoded fields have an end, so this is a prefix of no other value.
  return [`${key.wireName} ge ${literal}`, `${key.wireName} lt ${odata`${textAfter(start)}`}`];
}
