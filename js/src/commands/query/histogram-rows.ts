/**
 * Histograms among the results of groups.
 *
 * @module
 */

import type { Aggregates, Histogram } from '../../entity/aggregates.js';
import type { Row } from '../../formats/rows.js';

/** The names of the results that are histograms. */
export const histogramsIn = (select: Aggregates): string[] =>
  Object.keys(select).filter((name) => select[name]!.function === 'histogram');

/**
 * A row for each bin of a group, with the other results of the group in each. The first one and the
 * last one may be for the numbers outside of all bins: they have only one end.
 *
 * @param name - of the result that is a histogram.
 */
export function binRows(group: Row, name: string): Row[] {
  const { [name]: histogram, ...others } = group;
  const { bins, below, above } = histogram as Histogram;
  const row = (from: number | null, to: number | null, count: number): Row => ({
    ...others,
    [`${name}_from`]: from,
    [`${name}_to`]: to,
    [`${name}_count`]: count,
  });
  return [
    ...(below > 0 ? [row(null, bins[0]!.from, below)] : []),
    ...bins.map(({ from, to, count }) => row(from, to, count)),
    ...(above > 0 ? [row(bins.at(-1)!.to, null, above)] : []),
  ];
}
