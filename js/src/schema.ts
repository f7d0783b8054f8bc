/**
 * Declared tables: types, validation, keys, filters and JSON Schema from one declaration. It needs
 * no account. An app that does not import it does not have it.
 *
 * @module
 */

export type { Issue } from './base/issue.js';
export type { IndexableName } from './schema/indexes.js';
export {
  PropertyDefinition,
  type ArrayRules,
  type BinaryRules,
  type Check,
  type DateTimeRules,
  type DoubleRules,
  type GuidRules,
  type NumberRules,
  type PartedType,
  type Presence,
  type PropertyType,
  type RangeRules,
  type StringRules,
  type TextRules,
  type TimeOf,
} from './schema/properties.js';
export type {
  Infer,
  InferInput,
  KeyProperty,
  PlainName,
  Row,
  RowInput,
  TableProperties,
  WithBothKeys,
} from './schema/rows.js';
export type {
  StandardIssue,
  StandardJsonConverter,
  StandardJsonOptions,
  StandardProps,
  StandardResult,
  StandardSchema,
  StandardSchemaResult,
  StandardTypes,
} from './schema/standard.js';
export { defineTable, TableDefinition } from './schema/table-definition.js';
export type { KeyNamesOf, KeyOption, TableCheck, TableOptions } from './schema/table-options.js';
export { t, type IdOptions, type ItemType } from './schema/types.js';
export type { Upgrade, Versions } from './schema/versions.js';
export {
  and,
  Condition,
  type ConditionOrText,
  not,
  or,
  type Operand,
  type OperandOf,
  type Operands,
  type OrderedOperand,
  type TextOperand,
} from './schema/where.js';
export type {
  AnyJsonOperand,
  ArrayOperand,
  JsonMemberOperand,
  JsonOperand,
  LocalOperands,
  PartedOperandOf,
  WholeTextOperand,
} from './schema/where-parts.js';
export {
  type Comparable,
  type ExtendedFilter,
  type ExtendedNumber,
  type ExtendedOperand,
  type ExtendedOperandOf,
  type ExtendedOperands,
  type ExtendedOrdered,
  type ExtendedText,
  type ExtendedTime,
  whereExtended,
} from './schema/where-extended.js';
