/**
 * How much the core takes, for those who would copy more than that only to have it refused. The
 * same as `core/src/model/limits.h`; a test compares the two.
 *
 * @module
 */

/** Of a string, in UTF-16 units. */
export const MAX_STRING_LENGTH = 32_768;

export const MAX_BINARY_BYTES = 65_536;

export const MAX_ENTITY_BYTES = 1_048_576;

/** Of a request; no text of it is longer. */
export const MAX_BODY_BYTES = 4_194_304;
