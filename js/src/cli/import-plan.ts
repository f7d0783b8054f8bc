/**
 * How the rows of files become entities: the keys, and the name and the type of each column.
 *
 * @module
 */

import { TableError } from '../base/errors.js';
import type { EdmTypes } from '../entity/edm.js';
import type { TableEntity } from '../entity/entities.js';
import { PropertyNames } from '../transfer/column-names.js';
import { InferredType } from '../transfer/infer-types.js';
import { isSystemColumn, keyColumnsOf, textOf, valueOf } from '../transfer/row-columns.js';
import type { RowChoices } from './import-usage.js';
import type { PlacedRow, RowFile } from './row-file.js';

/** A column of the files. */
export interface ColumnPlan {
  readonly column: string;
  readonly property: string;
  /** That of the texts whose type the file does not say. */
  readonly type: EdmTypes;
  /** How many rows have a value. */
  readonly values: number;
}

interface Column {
  readonly inferred: InferredType;
  readonly said: Set<EdmTypes>;
  values: number;
}

// What no key may have.
const NO_KEY_CHARACTERS = /[/\\#?\p{Cc}]/gu;
const DIGITS_OF_LINE = 10;

/** Takes all rows, and then says how they become entities. */
export class RowPlanner {
  readonly #choices: RowChoices;
  readonly #columns = new Map<string, Column>();

  constructor(choices: RowChoices) {
    this.#choices = choices;
  }

  add({ row }: PlacedRow): void {
    for (const [name, cell] of row) {
      let column = this.#columns.get(name);
      if (!column) {
        column = { inferred: new InferredType(), said: new Set(), values: 0 };
        this.#columns.set(name, column);
      }
      column.values++;
      if (typeof cell === 'object') column.said.add(cell.type);
      else column.inferred.add(cell);
    }
  }

  /** @throws an `Error`, if there is no column that an option names. */
  plan(): RowPlan {
    const { partitionKey, rowKey, types } = this.#choices;
    const names = [...this.#columns.keys()];
    for (const name of [partitionKey, rowKey, ...types.keys()]) {
      if (name === undefined || this.#columns.has(name) || names.length === 0) continue;
      throw new Error(`there is no column ${name}; there are ${names.join(', ')}`);
    }
    const keys = keyColumnsOf(names);
    const properties = new PropertyNames();
    const columns = [...this.#columns]
      .filter(([name]) => !keys.includes(name) && !isSystemColumn(name))
      .map(([column, { inferred, said, values }]) => {
        const type = types.get(column) ?? (said.size === 1 ? [...said][0]! : inferred.type);
        return { column, property: properties.next(column), type, values };
      });
    return new RowPlan(columns, [partitionKey, rowKey], keys, new Set(types.keys()));
  }
}

/** Makes entities of rows. */
export class RowPlan {
  readonly columns: readonly ColumnPlan[];
  readonly #chosenKeys: readonly (string | undefined)[];
  readonly #ownKeys: readonly (string | undefined)[];
  readonly #chosenTypes: ReadonlySet<string>;

  constructor(
    columns: readonly ColumnPlan[],
    chosenKeys: readonly (string | undefined)[],
    ownKeys: readonly (string | undefined)[],
    chosenTypes: ReadonlySet<string>,
  ) {
    this.columns = columns;
    this.#chosenKeys = chosenKeys;
    this.#ownKeys = ownKeys;
    this.#chosenTypes = chosenTypes;
  }

  /** @throws {@link TableError} `PropertiesNeedValue`, if the row has no value for a key. */
  entityOf(placed: PlacedRow): TableEntity {
    const { row, file, line } = placed;
    const entity: TableEntity = {
      partitionKey: this.#key(0, placed) ?? nameForKeys(file),
      rowKey:
        this.#key(1, placed) ??
        `${nameForKeys(file)}-${String(line).padStart(DIGITS_OF_LINE, '0')}`,
    };
    for (const { column, property, type } of this.columns) {
      const cell = row.get(column);
      if (cell === undefined) continue;
      const isSaid = typeof cell === 'object' && !this.#chosenTypes.has(column);
      entity[property] = valueOf(isSaid ? cell.type : type, textOf(cell));
    }
    return entity;
  }

  // Undefined, if no column has this key.
  #key(at: 0 | 1, { row, file }: PlacedRow): string | undefined {
    const [chosen, own] = [this.#chosenKeys[at], this.#ownKeys[at]];
    const column = chosen ?? own;
    if (column === undefined) return undefined;
    const cell = row.get(column);
    if (cell !== undefined) return textOf(cell);
    // Storage Explorer writes an empty key as an empty text.
    if (chosen === undefined && file.kind === 'csv') return '';
    throw new TableError('PropertiesNeedValue', `There is no value for a key in ${column}.`);
  }
}

const nameForKeys = ({ name }: RowFile) => name.replace(NO_KEY_CHARACTERS, '_');
