/**
 * `t`, which makes the properties of table definitions.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import type { PlatformBlob } from '../base/platform.js';
import { shown } from '../base/shown.js';
import type { EdmTypes } from '../entity/edm.js';
import { newId } from './ids.js';
import {
  PropertyDefinition,
  type ArrayRules,
  type BinaryRules,
  type DateTimeRules,
  type DoubleRules,
  type GuidRules,
  type NumberRules,
  type Parted,
  type PartedType,
  type StringRules,
  type TextRules,
  type TimeOf,
} from './properties.js';
import type { StandardSchema } from './standard.js';
import { copied } from './values.js';

function property<Type extends EdmTypes, Value>(
  type: Type,
  constraints: object = {},
  parted?: Parted,
): PropertyDefinition<Type, Value, 'required'> {
  if (!isObject(constraints)) {
    throw invalidInput(`The rules of a property must be an object, not ${shown(constraints)}.`);
  }
  // The caller may change a list or a Date later.
  const own = Object.entries(constraints).map(([name, value]: [string, unknown]) => [
    name,
    copied(value),
  ]);
  const rules = {
    type,
    constraints: Object.fromEntries(own) as Record<string, unknown>,
    presence: 'required',
    checks: [],
    ...(parted && { parted }),
  } as const;
  return new PropertyDefinition(rules);
}

/** Options of `t.id`. */
export interface IdOptions {
  /** Whether a new id sorts before all older ones. */
  readonly newestFirst?: boolean;
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

/** A property whose values may have several parts. */
type PartedProperty<Type extends PartedType, Value, Input = Value> = PropertyDefinition<
  Type,
  Value,
  'required',
  Input
>;

const partedProperty = (type: 'String' | 'Binary', parted: Parted, rules?: object) =>
  property(type, rules, parted) as PropertyDefinition as never;

/** The types that the items of an array may have. */
export type ItemType = 'String' | 'Int32' | 'Int64' | 'Double' | 'DateTime' | 'Guid';

/**
 * The eight types of the service, ids, values that take several properties, and keys that are made
 * of several values.
 */
export const t = {
  /** A text. */
  string: <const Value extends string = string>(rules?: StringRules<Value>) =>
    property<'String', Value>('String', rules),

  /** A whole number of 32 bits. */
  int32: <const Value extends number = number>(rules?: NumberRules<Value, number>) =>
    property<'Int32', Value>('Int32', rules),

  /** A whole number of 64 bits, as a bigint. */
  int64: <const Value extends bigint = bigint>(rules?: NumberRules<Value, bigint>) =>
    property<'Int64', Value>('Int64', rules),

  /** A finite number; with `finite: false` NaN and the infinities, too. */
  double: <const Value extends number = number>(rules?: DoubleRules<Value>) =>
    property<'Double', Value>('Double', rules),

  /** True or false. */
  boolean: () => property<'Boolean', boolean>('Boolean'),

  /** A time as a `Date`, or, with `precise: true`, as a text with 100 ns. */
  dateTime: <const IsPrecise extends boolean = false>(rules?: DateTimeRules<IsPrecise>) =>
    property<'DateTime', TimeOf<IsPrecise>>('DateTime', rules),

  /** Bytes, as a `Uint8Array`. */
  binary: (rules?: BinaryRules): PropertyDefinition<'Binary', Uint8Array, 'required'> =>
    property('Binary', rules),

  /** A Guid, as a text. */
  guid: (rules?: GuidRules) => property<'Guid', string>('Guid', rules),

  /**
   * An id: a UUID as a text in lower case, which is made when a row is inserted without one. It has
   * the version 7, so ids sort by the time at which they were made, and each id that a process
   * makes is greater than the one before. With `newestFirst`, each is less than the one before, and
   * has the version 8.
   */
  id: ({ newestFirst = false }: IdOptions = {}): PropertyDefinition<'String', string, 'default'> =>
    property<'String', string>('String', { pattern: UUID })
      .with({ format: 'uuid' })
      .default(() => newId(newestFirst)),

  /**
   * Any value of JSON, which is stored as a text.
   *
   * @param schema - checks the values of writes: any Standard Schema, for example of zod. Its
   * output is ignored.
   */
  json: <T = unknown>(schema?: StandardSchema<unknown, T>): PartedProperty<'Json', T> => {
    const validator = schema?.['~standard'];
    if (schema && typeof validator?.validate !== 'function') {
      throw invalidInput(`t.json() takes a Standard Schema, not ${shown(schema)}.`);
    }
    const validate = validator && ((value: unknown) => validator.validate(value));
    return partedProperty('String', { kind: 'json', ...(validate && { validate }) });
  },

  /** A list of values of one type, which is stored as JSON. */
  array: <Value>(
    item: PropertyDefinition<ItemType, Value, 'required'>,
    rules?: ArrayRules,
  ): PartedProperty<'Array', Value[], readonly Value[]> =>
    partedProperty('String', { kind: 'array', item: item.rules }, rules),

  /** A text of any length that an entity has room for. */
  text: (rules?: TextRules): PartedProperty<'Text', string> =>
    partedProperty('String', { kind: 'text' }, rules),

  /** Bytes of any number that an entity has room for, as a `Blob` with its type. */
  blob: (rules?: BinaryRules): PartedProperty<'Bytes', PlatformBlob, PlatformBlob | Uint8Array> =>
    partedProperty('Binary', { kind: 'blob' }, rules),

  /** The same as a `Uint8Array`. */
  bytes: (rules?: BinaryRules): PartedProperty<'Bytes', Uint8Array> =>
    partedProperty('Binary', { kind: 'bytes' }, rules),
} as const;
