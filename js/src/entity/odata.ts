/**
 * The template tag for filters.
 *
 * @module
 */

import { base64ToBytes } from '../base/base64.js';
import { invalidInput } from '../base/errors.js';
import { isBytes, isDate } from '../base/kinds.js';
import { isInt32, type Edm, type EdmTypes } from './edm.js';

/**
 * Writes a filter with every value as a literal of its type. No value can end its quotes and become
 * part of the expression.
 *
 * A string gets quotes, unless the template has quotes around it already. A number is an Int32 if
 * it fits, else a Double; `{ type: 'Double', value }` is always a Double. Other values have the
 * form of the grammar of filters: `5L`, `datetime'…'`, `guid'…'`, `X'…'`.
 *
 * @example
 * ```ts
 * const filter = odata`PartitionKey eq ${city} and Born lt ${new Date(0)} and Visits gt ${5n}`;
 * ```
 * @throws {@link TableError} `InvalidInput`, if a value has no literal, or is a text with a lone
 * surrogate.
 */
export function odata(strings: TemplateStringsArray, ...values: unknown[]): string {
  let isInQuotes = false;
  return strings.reduce((filter, text, index) => {
    // A doubled quote leaves the quotes and enters them again.
    if (text.split("'").length % 2 === 0) isInQuotes = !isInQuotes;
    if (index === values.length) return filter + text;
    const { content, literal } = toLiteral(values[index], text);
    return filter + text + (isInQuotes ? escapeQuotes(content) : literal);
  }, '');
}

interface Literal {
  /** The literal without quotes, for a place where the template has quotes already. */
  readonly content: string;
  readonly literal: string;
}

function toLiteral(value: unknown, before: string): Literal {
  if (typeof value === 'string') return quoted('', value);
  if (typeof value === 'bigint') return int64(value);
  if (typeof value === 'boolean' || value === null) return plain(`${value}`);
  if (typeof value === 'number') {
    return { content: `${value}`, literal: isInt32(value) ? `${value}` : doubleText(value) };
  }
  try {
    if (isDate(value)) return quoted('datetime', value.toISOString());
    if (isBytes(value)) return quoted('X', hexText(value));
    return typedLiteral(value as Edm<EdmTypes>);
  } catch (cause) {
    throw invalidInput(
      `A filter has no literal for ${typeof value} (after "${before.slice(-32)}").`,
      cause,
    );
  }
}

// Throws something if the value does not fit its type.
function typedLiteral({ type, value }: Edm<EdmTypes>): Literal {
  switch (type) {
    case 'Binary':
      return quoted('X', hexText(base64ToBytes(value as string)));
    case 'DateTime':
      return quoted('datetime', `${value}`);
    case 'Guid':
      return quoted('guid', `${value}`);
    case 'String':
      return quoted('', `${value}`);
    case 'Int64':
      return int64(BigInt(value));
    case 'Double':
      return plain(doubleText(Number(value)));
    case 'Int32':
      if (isInt32(Number(value))) return plain(`${Number(value)}`);
      break;
    case 'Boolean':
      if (/^(true|false)$/.test(`${value}`)) return plain(`${value}`);
  }
  throw new TypeError(`${value} is no ${type}.`);
}

function plain(literal: string): Literal {
  return { content: literal, literal };
}

function int64(value: bigint): Literal {
  return { content: `${value}`, literal: `${value}L` };
}

function quoted(prefix: string, content: string): Literal {
  if (/\p{Surrogate}/u.test(content)) {
    const text = JSON.stringify(content.slice(0, 64));
    throw invalidInput(`A filter cannot hold ${text}, which is not well-formed text.`);
  }
  return { content, literal: `${prefix}'${escapeQuotes(content)}'` };
}

function escapeQuotes(text: string): string {
  return text.replaceAll("'", "''");
}

// A Double differs from an integer by a point or an exponent. OData has INF for Infinity.
function doubleText(value: number): string {
  if (Math.abs(value) === Infinity) return value < 0 ? '-INF' : 'INF';
  return Number.isInteger(value) ? `${value}`.replace(/^-?\d+$/, '$&.0') : `${value}`;
}

function hexText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
