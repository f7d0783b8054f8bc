/**
 * Comparisons of fields of a key as ranges of the key.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { shown } from '../base/shown.js';
import { textAfter } from '../base/text-after.js';
import type { EntityKeys } from '../entity/keys.js';
import { odata } from '../entity/odata.js';
import type { Field } from './key-fields.js';

/** One of the two keys. Without a field, it is always the same. */
export interface Part {
  readonly name: keyof EntityKeys;
  readonly wireName: 'PartitionKey' | 'RowKey';
  readonly fields: readonly Field[];
}

/** A comparison of a field of a key. */
export interface Comparison {
  readonly name: string;
  readonly operator: string;
  readonly value: unknown;
}

/**
 * The conditions on a key for comparisons of its fields that must hold together. Fields that are
 * equal to values are the start of a key, and the field behind them may have any comparisons.
 *
 * @throws {@link TableError} `InvalidInput`, if a comparison needs one of a field before it.
 */
export function conditionsOn(part: Part, comparisons: readonly Comparison[]): string[] {
  const { wireName, fields } = part;
  const equal = fields.map((field) =>
    comparisons.find(({ name, operator }) => name === field.name && operator === 'eq'),
  );
  const count = equal.includes(undefined) ? equal.indexOf(undefined) : fields.length;
  const starts = fields.map((_, at) => startOf(fields, equal, Math.min(at, count)));
  const conditions = comparisons
    .filter((one) => !equal.slice(0, count).includes(one))
    .map((one) => {
      const at = fields.findIndex(({ name }) => name === one.name);
      if (at > count) throw needs(one.name, fields[count]!.name);
      const key = starts[at]! + fields[at]!.encode(one.value);
      const operator = fields[at]!.isDescending ? turned(one.operator) : one.operator;
      return compared(wireName, operator, key, at === fields.length - 1);
    });
  if (!count) return conditions;
  const whole = startOf(fields, equal, count);
  return [compared(wireName, 'eq', whole, count === fields.length), ...conditions];
}

const startOf = (
  fields: readonly Field[],
  equal: readonly (Comparison | undefined)[],
  count: number,
) =>
  fields
    .slice(0, count)
    .map(({ encode }, at) => encode(equal[at]!.value))
    .join('');

/** The operator for values on the other side, or counted from the other end. */
export const turned = (operator: string): string => TURNED[operator] ?? operator;

const TURNED: Readonly<Record<string, string>> = { gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' };

// A key that goes on behind the field is in the range from its start to the next one.
function compared(name: string, operator: string, key: string, isWhole: boolean): string {
  if (isWhole) return `${name} ${operator} ${odata`${key}`}`;
  const [from, end] = [odata`${key}`, odata`${textAfter(key)}`];
  switch (operator) {
    case 'eq':
      return `${name} ge ${from} and ${name} lt ${end}`;
    case 'ne':
      return `(${name} lt ${from} or ${name} ge ${end})`;
    case 'gt':
      return `${name} ge ${end}`;
    case 'le':
      return `${name} lt ${end}`;
    default:
      return `${name} ${operator} ${from}`;
  }
}

const needs = (name: string, before: string) =>
  invalidInput(
    `A filter with ${shown(name)} needs ${before}.eq(…) in the same and(): the key begins with ` +
      `${before}, and the fields of a key are stored only there.`,
  );
