/**
 * The eight types of property values, in JavaScript.
 *
 * @module
 */

/** The types of the Entity Data Model that the Table service knows. */
export type EdmTypes =
  'Binary' | 'Boolean' | 'DateTime' | 'Double' | 'Guid' | 'Int32' | 'Int64' | 'String';

/**
 * A value with the name of its type. It writes values that JavaScript has no type for. A Guid, and
 * a DateTime that no Date can hold, come back in this form.
 */
export interface Edm<T extends EdmTypes> {
  /** Binary as Base64, Guid, Int64 and DateTime as text. */
  value: T extends 'Boolean' ? boolean : T extends 'Double' | 'Int32' ? number : string;
  type: T;
}

/** The values of each type in JavaScript. */
interface JavaScriptValues {
  Binary: Uint8Array;
  Boolean: boolean;
  /** A text if it has digits beyond milliseconds. */
  DateTime: Date | string;
  Double: number;
  Guid: string;
  Int32: number;
  Int64: bigint;
  String: string;
}

/**
 * A value of JavaScript with its type, as reads with `typed: true` return every property. No value
 * loses anything in this form, and it can be written as it is.
 */
export type TypedValue<T extends EdmTypes = EdmTypes> = T extends EdmTypes
  ? { type: T; value: JavaScriptValues[T] }
  : never;

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/**
 * True if the service takes a number for an Int32. Every other number is a Double.
 *
 * @internal
 */
export function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= INT32_MIN && value <= INT32_MAX;
}
