/**
 * The numbers that the types of properties have in frames: `EdmType` of `core/src/model/value.h`. A
 * test compares the two.
 *
 * @module
 */

export const STRING = 1;
export const INT32 = 2;
export const INT64 = 3;
export const DOUBLE = 4;
export const BOOLEAN = 5;
export const DATE_TIME = 6;
export const GUID = 7;
export const BINARY = 8;
