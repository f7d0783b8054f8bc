/**
 * The limits of the core. Code that would copy more than that refuses it first.
 *
 * `scripts/generate-limits.mjs` writes this file from the sources of the core.
 *
 * @module
 */

/** Of a string, in UTF-16 units. */
export const MAX_STRING_LENGTH = 32_768;

/** Of a Binary. */
export const MAX_BINARY_BYTES = 65_536;

/** Of an entity. */
export const MAX_CUSTOM_PROPERTIES = 252;

/** By the service's formula. */
export const MAX_ENTITY_BYTES = 1_048_576;

/** Of a request; no text of it is longer. */
export const MAX_BODY_BYTES = 4_194_304;

/** Actions of one transaction. */
export const MAX_TRANSACTION_PARTS = 100;

/** Entities or tables of one page of results. */
export const MAX_PAGE_RESULTS = 1_000;

/** In UTF-16 units. */
export const MAX_PROPERTY_NAME_LENGTH = 255;

/** Of the compiled schema of a table. */
export const MAX_SCHEMA_BYTES = 65_536;

/** The first DateTime, in milliseconds since 1970. */
export const MIN_DATE_TIME_MS = -11_644_473_600_000;

/** The last whole millisecond of a DateTime. */
export const MAX_DATE_TIME_MS = 253_402_300_799_999;

/** The core counts time in ticks of 100 ns since the year 1. */
export const TICKS_PER_MS = 10_000;

/** From the year 1 to 1970. */
export const MS_BEFORE_1970 = 62_135_596_800_000;
