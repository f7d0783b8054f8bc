/**
 * The eight types of property values, and what they look like in JavaScript.
 *
 * @module
 */

/** The types of the Entity Data Model that the Table service knows. */
export type EdmTypes =
  'Binary' | 'Boolean' | 'DateTime' | 'Double' | 'Guid' | 'Int32' | 'Int64' | 'String';

/**
 * A value that names its type: the way to write what JavaScript has no type for,
 * and the way in which values come back that would otherwise lose theirs.
 */
export interface Edm<T extends EdmTypes> {
  /** Binary as Base64, Guid, Int64 and DateTime as text. */
  value: T extends 'Boolean' ? boolean : T extends 'Double' | 'Int32' ? number : string;
  type: T;
}

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/**
 * True if the service takes a number for an Int32: every other one is a Double.
 *
 * @internal
 */
export function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= INT32_MIN && value <= INT32_MAX;
}
