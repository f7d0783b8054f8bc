/**
 * `t`, which makes the properties of table definitions.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import type { EdmTypes } from '../entity/edm.js';
import { newId } from './ids.js';
import { KeyDefinition } from './keys.js';
import {
  PropertyDefinition,
  type BinaryRules,
  type DateTimeRules,
  type DoubleRules,
  type GuidRules,
  type NumberRules,
  type StringRules,
  type TimeOf,
} from './properties.js';
import { copied } from './values.js';

function property<Type extends EdmTypes, Value>(
  type: Type,
  constraints: object = {},
): PropertyDefinition<Type, Value, 'required'> {
  if (!isObject(constraints)) {
    throw invalidInput(`The rules of a property must be an object, not ${shown(constraints)}.`);
  }
  // The caller may change a list or a Date later.
  const own = Object.entries(constraints).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map(copied) : copied(value),
  ]);
  const rules = {
    type,
    constraints: Object.fromEntries(own) as Record<string, unknown>,
    presence: 'required',
    checks: [],
  } as const;
  return new PropertyDefinition(rules);
}

/** Options of `t.id`. */
export interface IdOptions {
  /** Whether a new id sorts before all older ones. */
  readonly newestFirst?: boolean;
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

/** The eight types of the service, ids, and keys that are made of several values. */
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

  /** A PartitionKey or RowKey that is made of several values, see {@link KeyDefinition}. */
  key: KeyDefinition.of,
} as const;
