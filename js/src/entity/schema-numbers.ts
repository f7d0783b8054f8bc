/**
 * The numbers in the bytes of a schema: `core/src/model/schema_format.h`. The grammar is in
 * `docs/internals/file-format.md`. A test compares the numbers.
 *
 * @module
 */

import type { EdmTypes } from './edm.js';

export const SCHEMA_VERSION = 2;

// Flags of a schema.
export const REJECT_UNKNOWN = 1;
export const KNOWS_VERSION = 2;

// Flags of a property.
export const OPTIONAL = 1;
export const FINITE = 2;

/** The types of properties, by their numbers, from 1. */
export const TYPE_NAMES: readonly EdmTypes[] = [
  ...(['String', 'Int32', 'Int64', 'Double', 'Boolean', 'DateTime', 'Guid', 'Binary'] as const),
];

/** The rules of properties, by their numbers, from 1. The other constraints run in TypeScript. */
export const RULE_NAMES: readonly string[] = [
  ...['minLength', 'maxLength', 'minBytes', 'maxBytes', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'enum'],
];

/** Whether the operand of a rule is a number of units or bytes, and no value of the property. */
export const isOfLength = (rule: string): boolean => /Length|Bytes/.test(rule);
