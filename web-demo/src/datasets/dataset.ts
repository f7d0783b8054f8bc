/**
 * Sample data: its file, and how its rows become entities.
 *
 * @module
 */

import type { TableEntity, TableIndex } from 'entitable';

export interface Dataset<Row = never> {
  /** The table for its entities. */
  readonly table: string;
  /** The plural of an entity: `movies`. */
  readonly noun: string;
  readonly count: number;
  /** The address of its file. The licence is in the package of the file. */
  readonly url: string;
  /** They are built behind the last row. */
  readonly indexes?: readonly TableIndex[];
  /** Filters to try. */
  readonly examples: readonly string[];
  /** A filter that the service refuses. */
  readonly wrongExample: string;
  partitionKeyOf(row: Row): string;
  /** @param index - the index of the row in the file, which makes its RowKey unique. */
  rowKeyOf(row: Row, index: number): string;
  /** The value of each property, in the order of the columns. */
  readonly properties: Readonly<Record<string, (row: Row) => unknown>>;
}

export function toEntity<Row>(dataset: Dataset<Row>, row: Row, index: number): TableEntity {
  const entity: TableEntity = {
    partitionKey: dataset.partitionKeyOf(row),
    rowKey: dataset.rowKeyOf(row, index),
  };
  for (const [name, valueOf] of Object.entries(dataset.properties)) entity[name] = valueOf(row);
  return entity;
}
