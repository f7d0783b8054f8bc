/**
 * Sample data: where it comes from, and what its rows become.
 *
 * @module
 */

import type { TableEntity } from 'entitable';

export interface Dataset<Row = never> {
  /** The table that it is loaded into. */
  readonly table: string;
  /** What its entities are called. */
  readonly noun: string;
  readonly count: number;
  /** Whether it is loaded in bulk, rather than by transactions. */
  readonly isLarge?: boolean;
  /** Where its rows are; the licence is in the package that they come from. */
  readonly url: string;
  /** Filters worth a look. */
  readonly examples: readonly string[];
  /** One that the service refuses. */
  readonly wrongExample: string;
  partitionKeyOf(row: Row): string;
  /** @param index - the place of the row in the file: what makes its RowKey unique. */
  rowKeyOf(row: Row, index: number): string;
  /** The value of each property, in the order in which they are shown. */
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
