/**
 * One broken rule, in words that a program can use.
 *
 * @module
 */

import type { ErrorCode } from './errors.js';

/**
 * The name of a rule: ours, and stable, so that texts of one's own can be looked up
 * by it. In brackets: which of `limit`, `actual`, `position` and `character` a violation
 * carries. The same list as `core/include/entitable/violation.h`; a test compares the two.
 */
export type RuleCode =
  /** The value, or the whole, is not to be read: a lone surrogate, for one. */
  | 'json'
  /** The entity is more than 4 MiB as JSON. [limit, actual: bytes] */
  | 'body-size'
  /** The value has none of the types of the service, or not the one that is named. */
  | 'value-type'
  /** The type that is named is none of the eight. */
  | 'type-name'
  /** Two members stand for one property. */
  | 'property-duplicate'
  /** 1 to 255. [limit, actual: UTF-16 units] */
  | 'property-name-length'
  /** A C# identifier that is an XML name. [position, character] */
  | 'property-name-character'
  /** `etag` and `timestamp` stand for system properties here. */
  | 'property-name-reserved'
  /** At most 252 custom properties. [limit, actual] */
  | 'property-count'
  | 'key-missing'
  /** A key is a string. */
  | 'key-type'
  /** Not `/ \\ # ?`, nor control characters. [position, character] */
  | 'key-character'
  /** 1,024, or 512 where the service rules. [limit, actual: UTF-16 units] */
  | 'key-length'
  | 'int32-format'
  | 'int32-range'
  | 'int64-format'
  | 'int64-range'
  | 'double-format'
  | 'double-range'
  | 'boolean-format'
  | 'date-time-format'
  /** From the year 1601 on. */
  | 'date-time-range'
  | 'guid-format'
  | 'base64'
  /** At most 32,768. [limit, actual: UTF-16 units] */
  | 'string-length'
  /** At most 65,536. [limit, actual: bytes] */
  | 'binary-length'
  /** At most 1 MiB, by the service's formula. [limit, actual: bytes] */
  | 'entity-size'
  /** ASCII letters and digits, a letter first. [position, character] */
  | 'table-name-character'
  /** 3 to 63. [limit, actual: UTF-16 units] */
  | 'table-name-length'
  /** `tables`, in any case. */
  | 'table-name-reserved'
  /** A lone surrogate in a name or key. */
  | 'text-encoding';

/** One broken rule. */
export interface Violation {
  readonly rule: RuleCode;

  /** The name of the property, if the rule is about one of an entity's. */
  readonly path?: string;

  /** What a request that breaks this rule first is refused with: code and message. */
  readonly code: ErrorCode;
  readonly message: string;

  /** The nearest length, count or size that is allowed, and the one at hand. */
  readonly limit?: number;
  readonly actual?: number;

  /** The first character that is not allowed, and its index in the text. */
  readonly position?: number;
  readonly character?: string;
}
