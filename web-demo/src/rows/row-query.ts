/**
 * What a result is of: a filter and an order. And the keys of its entities.
 *
 * @module
 */

/** The property that the results are sorted by. */
export interface Sort {
  /** As in the API: `rowKey`. */
  readonly name: string;
  readonly isDescending: boolean;
}

/** Words to find in a property. Their results have an order of their own. */
export interface Search {
  readonly property: string;
  readonly words: string;
  readonly match: 'all' | 'any';
}

export interface RowQuery {
  readonly filter: string;
  readonly sort: Sort | undefined;
  readonly search?: Search | undefined;
}

export interface EntityKeys {
  readonly partitionKey: string;
  readonly rowKey: string;
}

/** The option `orderBy` of a sort. */
export function orderByOf(sort: Sort | undefined): string[] | undefined {
  return sort && [sort.isDescending ? `${sort.name} desc` : sort.name];
}

/** Different for different keys, because keys have no control characters. */
export function idOf({ partitionKey, rowKey }: EntityKeys): string {
  return `${partitionKey}\n${rowKey}`;
}
