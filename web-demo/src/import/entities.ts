/**
 * Makes entities of rows, as a plan says.
 *
 * @module
 */

import type { TableEntity } from 'entitable';

import type { FileRow } from '../../../js/src/transfer/file-rows.js';
import { textOf, valueOf } from '../../../js/src/transfer/row-columns.js';
import type { ImportPlan } from './plan.js';

// So that more rows can follow without a change of the order.
const LEAST_DIGITS = 6;

/** Makes one entity after another. */
export class EntityMaker {
  readonly #plan: ImportPlan;
  readonly #digits: number;

  /** @param rows - how many rows there are, for row keys in the order of the file. */
  constructor(plan: ImportPlan, rows: number) {
    this.#plan = plan;
    this.#digits = Math.max(LEAST_DIGITS, String(rows).length);
  }

  /** @param number - the number of the row, from 1 on. */
  entityOf(row: FileRow, number: number): TableEntity {
    const { partitionKey, rowKey, columns } = this.#plan;
    const entity: TableEntity = {
      partitionKey: 'text' in partitionKey ? partitionKey.text : keyOf(row, partitionKey.column),
      rowKey:
        rowKey === undefined ? String(number).padStart(this.#digits, '0') : keyOf(row, rowKey),
    };
    for (const { column, property, type: chosen } of columns) {
      const cell = row.get(column);
      if (cell === undefined) continue;
      const type = chosen ?? (typeof cell === 'string' ? 'String' : cell.type);
      entity[property] = valueOf(type, textOf(cell));
    }
    return entity;
  }
}

const keyOf = (row: FileRow, column: string) => textOf(row.get(column) ?? '');
