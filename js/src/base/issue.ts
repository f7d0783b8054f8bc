/**
 * What is wrong with a value, in words that a program can use.
 *
 * @module
 */

import type { ErrorCode } from './error-codes.js';

/**
 * The name of a rule. Names are ours and stable, so an app can look up its own texts by them. In
 * brackets: which of `limit`, `actual`, `position` and `character` an issue has.
 * `core/include/entitable/violation.h` has the list of the core; a test compares the two.
 */
export type RuleCode =
  /** The value, or the whole entity, cannot be read: a lone surrogate, for one. */
  | 'json'
  /** The entity is more than 4 MiB as JSON. [limit, actual: bytes] */
  | 'body-size'
  /** The value has no type of the service, or not the type that it names. */
  | 'value-type'
  /** The named type is not one of the eight. */
  | 'type-name'
  /** Two members are the same property. */
  | 'property-duplicate'
  /** 1 to 255. [limit, actual: UTF-16 units] */
  | 'property-name-length'
  /** A C# identifier that is an XML name. [position, character] */
  | 'property-name-character'
  /** `etag` and `timestamp` are names of system properties here. */
  | 'property-name-reserved'
  /** At most 252 custom properties. [limit, actual] */
  | 'property-count'
  | 'key-missing'
  /** A key is a string. */
  | 'key-type'
  /** Not `/ \\ # ?`, nor control characters. [position, character] */
  | 'key-character'
  /** 1,024, or 512 with the profile of the service. [limit, actual: UTF-16 units] */
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
  | 'text-encoding'
  /** The entity has no such property, and its schema requires it. */
  | 'schema-required'
  /** The value has another type than in the schema. */
  | 'schema-type'
  /** The schema has no such property, and allows no others. */
  | 'schema-unknown'
  /** The limits of strings. [limit, actual: UTF-16 units] */
  | 'schema-min-length'
  | 'schema-max-length'
  /** The limits of a Binary. [limit, actual: bytes] */
  | 'schema-min-bytes'
  | 'schema-max-bytes'
  | 'schema-minimum'
  | 'schema-maximum'
  | 'schema-exclusive-minimum'
  | 'schema-exclusive-maximum'
  | 'schema-multiple-of'
  /** The schema lists the allowed values. */
  | 'schema-enum'
  /** The text does not fit the pattern. The core never reports this rule and the next one. */
  | 'schema-pattern'
  /** A check of a declared table does not hold. */
  | 'schema-refine';

/** What is wrong with a value: an issue of Standard Schema, with the rule in words for programs. */
export interface Issue {
  /** A sentence of ours in English: what breaks the rule, and its value. */
  readonly message: string;

  /** The name of the property, then the steps within its value; missing, if it is about none. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;

  /** Missing in `validate()`, if the `refine` of the table or another validator found it. */
  readonly rule?: RuleCode | undefined;

  /** The code of the refusal, if the request breaks this rule first. */
  readonly code?: ErrorCode | undefined;

  /** The text of the service for that refusal; missing for rules of schemas. */
  readonly refusal?: string | undefined;

  /** The constraint of the definition that is broken. */
  readonly expected?: unknown;

  /** The nearest allowed length, count or size, and the actual one. */
  readonly limit?: number;
  readonly actual?: number;

  /** The first character that is not allowed, and its index in the text. */
  readonly position?: number;
  readonly character?: string;
}

/** An issue that the core has found. */
export type CoreIssue = Issue & { readonly rule: RuleCode; readonly code: ErrorCode };

/**
 * The property that an issue is about.
 *
 * @internal
 */
export function nameOf({ path }: Pick<Issue, 'path'>): string | undefined {
  const [step] = path ?? [];
  return step === undefined ? undefined : String(typeof step === 'object' ? step.key : step);
}
