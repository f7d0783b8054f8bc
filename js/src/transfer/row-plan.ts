/**
 * How the rows of files become entities: the types of the columns, the properties that they become,
 * and the sources of the keys. The command line and the explorer use it for their imports.
 *
 * @module
 */

import { TableError } from '../base/errors.js';
import type { EdmTypes } from '../entity/edm.js';
import type { TableEntity } from '../entity/entities.js';
import { PropertyNames } from './column-names.js';
import type { Cell, FileRow } from './file-rows.js';
import { InferredType } from './infer-types.js';
import { isSystemColumn, keyColumnsOf, textOf, valueOf } from './row-columns.js';

/** What the rows of a file have in a column. */
export interface ColumnSummary {
  readonly name: string;
  /**
   * For the values without a type in the file: the one type that the file declares for others of
   * the column, or else the type that is inferred from their texts.
   */
  readonly type: EdmTypes;
  /** The types that the file declares for values. */
  readonly declared: ReadonlySet<EdmTypes>;
  /** How many rows have a value. */
  readonly values: number;
}

/** Summarizes the columns of all rows: the last row may have other types than the first one. */
export class ColumnSurvey {
  readonly #columns = new Map<string, Column>();

  add(row: FileRow): void {
    for (const [name, cell] of row) {
      let column = this.#columns.get(name);
      if (!column) this.#columns.set(name, (column = new Column()));
      column.add(cell);
    }
  }

  /** The columns, in the order of their first values. */
  get columns(): ColumnSummary[] {
    return Array.from(this.#columns, ([name, column]) => column.summary(name));
  }
}

class Column {
  readonly #inferred = new InferredType();
  readonly #declared = new Set<EdmTypes>();
  #values = 0;

  add(cell: Cell): void {
    this.#values++;
    if (typeof cell === 'object') this.#declared.add(cell.type);
    else this.#inferred.add(cell);
  }

  summary(name: string): ColumnSummary {
    const [first, second] = this.#declared;
    const type = first && !second ? first : this.#inferred.type;
    return { name, type, declared: this.#declared, values: this.#values };
  }
}

/** A column that becomes a property. */
export interface ColumnPlan {
  readonly column: string;
  readonly property: string;
  readonly type: EdmTypes;
  /** Whether all values get the type, also those for which the file declares another one. */
  readonly isForAll: boolean;
}

/**
 * Plans all columns but the keys and those that the service sets. Each gets a property with a valid
 * name.
 *
 * @param types - the types that were chosen, by column.
 */
export function planColumns(
  columns: readonly ColumnSummary[],
  types: ReadonlyMap<string, EdmTypes> = new Map(),
): ColumnPlan[] {
  const keys = keyColumnsOf(columns.map(({ name }) => name));
  const properties = new PropertyNames();
  return columns
    .filter(({ name }) => !keys.includes(name) && !isSystemColumn(name))
    .map(({ name, type }) => ({
      column: name,
      property: properties.next(name),
      type: types.get(name) ?? type,
      isForAll: types.has(name),
    }));
}

/** Where a key comes from: a column, or a function of the row's place in its file. */
export type KeySource<Place> = { readonly column: string } | ((place: Place) => string);

/** Makes entities of rows. */
export class EntityMaker<Place> {
  readonly #keys: readonly [partitionKey: KeySource<Place>, rowKey: KeySource<Place>];
  readonly #columns: readonly ColumnPlan[];

  constructor(
    keys: readonly [partitionKey: KeySource<Place>, rowKey: KeySource<Place>],
    columns: readonly ColumnPlan[],
  ) {
    this.#keys = keys;
    this.#columns = columns;
  }

  /**
   * @param isCsv - whether the row comes from a CSV file.
   * @throws {@link TableError} `PropertiesNeedValue`, if the row has no value for a key.
   */
  entityOf(row: FileRow, place: Place, isCsv: boolean): TableEntity {
    const entity: TableEntity = {
      partitionKey: this.#key(0, row, place, isCsv),
      rowKey: this.#key(1, row, place, isCsv),
    };
    for (const { column, property, type, isForAll } of this.#columns) {
      const cell = row.get(column);
      if (cell === undefined) continue;
      const isDeclared = typeof cell === 'object' && !isForAll;
      entity[property] = valueOf(isDeclared ? cell.type : type, textOf(cell));
    }
    return entity;
  }

  #key(at: 0 | 1, row: FileRow, place: Place, isCsv: boolean): string {
    const source = this.#keys[at];
    if (typeof source === 'function') return source(place);
    const { column } = source;
    const cell = row.get(column);
    if (cell !== undefined) return textOf(cell);
    // Storage Explorer writes an empty key as an empty text.
    if (isCsv && keyColumnsOf([column])[at] !== undefined) return '';
    throw new TableError('PropertiesNeedValue', `There is no value for a key in ${column}.`);
  }
}
