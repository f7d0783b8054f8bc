/**
 * What a chart shows.
 *
 * @module
 */

import {
  avg,
  count,
  max,
  min,
  sum,
  type Aggregate,
  type EdmTypes,
  type TableClient,
} from 'entitable';

export type ChartKind = 'bars' | 'histogram' | 'times' | 'points';

/** What is calculated of each group: the number of its entities, or a function of a property. */
export type Measure =
  | { readonly function: 'count' }
  | { readonly function: 'sum' | 'avg' | 'min' | 'max'; readonly name: string };

export interface Question {
  readonly table: TableClient;
  readonly filter: string;
  readonly kind: ChartKind;
  /** The property that makes the groups, or the horizontal axis. */
  readonly by: string;
  /** The types that the property has. */
  readonly types: readonly EdmTypes[];
  readonly measure: Measure;
  readonly signal: AbortSignal;
}

/** The argument of `aggregate`. */
export function aggregateOf(measure: Measure): Aggregate {
  switch (measure.function) {
    case 'count':
      return count();
    case 'sum':
      return sum(measure.name);
    case 'avg':
      return avg(measure.name);
    case 'min':
      return min(measure.name);
    case 'max':
      return max(measure.name);
  }
}

/** `Sum of Price` */
export function measureText(measure: Measure): string {
  switch (measure.function) {
    case 'count':
      return 'Number of entities';
    case 'sum':
      return `Sum of ${measure.name}`;
    case 'avg':
      return `Average of ${measure.name}`;
    case 'min':
      return `Least ${measure.name}`;
    case 'max':
      return `Greatest ${measure.name}`;
  }
}
