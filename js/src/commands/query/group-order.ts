/**
 * The order of groups: by the columns that the command prints. All groups are in memory.
 *
 * @module
 */

import { isBytes, isDate } from '../../base/kinds.js';
import { wireName } from '../../base/system-names.js';
import type { Aggregates } from '../../entity/aggregates.js';
import type { Row } from '../../formats/rows.js';
import { UsageError } from '../line/options.js';
import { columnOf, parseTerms } from './aggregate-terms.js';

/** A member of each group, and the direction. */
export interface GroupOrder {
  readonly name: string;
  readonly isDescending: boolean;
}

/**
 * Parses `--order-by` of groups: names of columns, separated by commas: `sum_price desc,kind`.
 *
 * @param by - the terms of `--group-by`.
 * @throws {@link UsageError}, if there is no such column, or it has histograms.
 */
export function parseGroupOrder(
  list: string,
  by: readonly string[],
  select: Aggregates,
): GroupOrder[] {
  const isHistogram = (name: string) =>
    Object.hasOwn(select, name) && select[name]!.function === 'histogram';
  const names = [...by.map(columnOf), ...Object.keys(select)];
  return list.split(',').map((term) => {
    const [, column = '', direction] = /^\s*(\S+)(?:\s+(asc|desc))?\s*$/.exec(term) ?? [];
    const name = Object.hasOwn(select, column) ? column : parseTerms(column)[0]!;
    if (isHistogram(name)) {
      throw new UsageError('--order-by takes no histogram: histograms have no order');
    }
    if (!names.includes(name)) {
      const columns = names.filter((one) => !isHistogram(one)).map(wireName);
      throw new UsageError(
        '--order-by of groups takes columns that are printed, such as "count desc"' +
          (columns.length > 0 ? `; the columns are ${[...new Set(columns)].join(', ')}` : ''),
      );
    }
    return { name, isDescending: direction === 'desc' };
  });
}

/** The groups in this order. Groups that are equal in it stay in the order that they have. */
export function sortedGroups(groups: readonly Row[], order: readonly GroupOrder[]): Row[] {
  return [...groups].sort((a, b) => {
    for (const { name, isDescending } of order) {
      const sign = compareValues(a[name], b[name]);
      if (sign !== 0) return isDescending ? -sign : sign;
    }
    return 0;
  });
}

// As the store orders entities: docs/guides/ordered-lists.md.
function compareValues(a: unknown, b: unknown): number {
  const [left, right] = [comparable(a), comparable(b)];
  for (const [at, one] of left.entries()) {
    const other = right[at]!;
    if (one < other) return -1;
    if (one > other) return 1;
  }
  return 0;
}

// The place of the type among all types, and what is compared within the type. A number and a
// bigint are compared by their exact values.
function comparable(value: unknown): readonly [number, number | bigint | string] {
  if (value === null || value === undefined) return [0, 0];
  if (typeof value === 'boolean') return [1, Number(value)];
  if (typeof value === 'number' && Number.isNaN(value)) return [2, 0];
  if (typeof value === 'number' || typeof value === 'bigint') return [3, value];
  // Without the Z: a time may have digits beyond milliseconds.
  if (isDate(value)) return [4, value.toISOString().slice(0, -1)];
  if (typeof value === 'string') return [5, value];
  if (isBytes(value)) return [7, Buffer.from(value).toString('hex')];
  const { type, value: text } = value as { type: string; value: string };
  return type === 'DateTime' ? [4, text.replace(/Z$/, '')] : [6, text];
}
