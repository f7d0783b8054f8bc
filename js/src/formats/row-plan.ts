/**
 * How the rows of files become entities: the properties that columns become, and the sources of the
 * keys. The command line and the explorer use it for their imports.
 *
 * @module
 */

import { invalidInput, TableError } from '../base/errors.js';
import { short } from '../base/shown.js';
import { apiName } from '../base/system-names.js';
import type { EdmTypes } from '../entity/edm.js';
import type { TableEntity } from '../entity/entities.js';
import { define } from '../entity/json.js';
import type { Cell, FileRow } from './cell.js';
import { propertyNames, type IsName } from './column-names.js';
import type { ColumnSummary } from './column-survey.js';
import {
  keyColumnsOf,
  plainTextOf,
  systemColumnsOf,
  textOf,
  valueOf,
  type KeyColumns,
} from './row-columns.js';
import { PLAIN_FORMS, type TextForms } from './text-forms.js';

/** A column that becomes a property. */
export interface ColumnPlan {
  readonly column: string;
  readonly property: string;
  readonly type: EdmTypes;
  /** Whether all values get the type, also those for which the file declares another one. */
  readonly isForAll: boolean;
}

/** What becomes of all columns. */
export interface ColumnPlans {
  readonly columns: readonly ColumnPlan[];
  /** The columns that are left out, because the service sets what they have. */
  readonly leftOut: readonly string[];
}

/**
 * Plans all columns. Each becomes a property with a valid name, but for keys under their own names
 * and for what the service sets.
 *
 * @param keys - the columns that the keys come from.
 * @param types - the types that were chosen, by column. Such a column is not left out.
 */
export function planColumns(
  columns: readonly ColumnSummary[],
  isName: IsName,
  keys: KeyColumns,
  types: ReadonlyMap<string, EdmTypes> = new Map(),
): ColumnPlans {
  const names = columns.map(({ name }) => name);
  const own = keyColumnsOf(names);
  const leftOut = systemColumnsOf(names).filter((name) => !types.has(name));
  const planned = columns.filter(
    ({ name }) =>
      !leftOut.includes(name) && !own.some((key, at) => key === name && keys[at] === key),
  );
  const properties = propertyNames(
    planned.map(({ name }) => name),
    isName,
  );
  return {
    columns: planned.map(({ name, type }, at) => ({
      column: name,
      property: properties[at]!,
      type: types.get(name) ?? type,
      isForAll: types.has(name),
    })),
    leftOut,
  };
}

/** Where a key comes from: a column, or a function of the row's place in its file. */
export type KeySource<Place> = { readonly column: string } | ((place: Place) => string);

/** Makes entities of rows. */
export class EntityMaker<Place> {
  readonly #keys: readonly [partitionKey: KeySource<Place>, rowKey: KeySource<Place>];
  readonly #columns: readonly ColumnPlan[];
  readonly #formsOf: (place: Place) => TextForms;

  /** @param formsOf - how the file of a row writes numbers and days. */
  constructor(
    keys: readonly [partitionKey: KeySource<Place>, rowKey: KeySource<Place>],
    columns: readonly ColumnPlan[],
    formsOf: (place: Place) => TextForms = () => PLAIN_FORMS,
  ) {
    this.#keys = keys;
    this.#columns = columns;
    this.#formsOf = formsOf;
  }

  /**
   * @throws {@link TableError} `PropertiesNeedValue`, if the row has no value for a key;
   * `InvalidInput`, if it has a nested value.
   */
  entityOf(row: FileRow, place: Place): TableEntity {
    const entity: TableEntity = {
      partitionKey: this.#key(0, row, place),
      rowKey: this.#key(1, row, place),
    };
    for (const { column, property, type, isForAll } of this.#columns) {
      const cell = row.get(column);
      if (cell === undefined) continue;
      if (isNested(cell) && !(isForAll && type === 'String')) {
        throw nestedError(column, cell, 'The type String would store it as this text.');
      }
      const [declared, forms] =
        typeof cell === 'object' ? [cell.type, PLAIN_FORMS] : [undefined, this.#formsOf(place)];
      const chosen = (isForAll ? undefined : declared) ?? type;
      const value = valueOf(chosen, chosen === 'String' ? textOf(cell) : plainTextOf(cell), forms);
      // A property `partitionKey` is not the key: it has another name in this package.
      define(entity, apiName(property), value);
    }
    return entity;
  }

  #key(at: 0 | 1, row: FileRow, place: Place): string {
    const source = this.#keys[at];
    if (typeof source === 'function') return source(place);
    const { column } = source;
    const cell = row.get(column);
    if (isNested(cell)) throw nestedError(column, cell, 'A key has a text.');
    if (cell !== undefined) return textOf(cell);
    throw new TableError('PropertiesNeedValue', `There is no value for a key in ${column}.`);
  }
}

const isNested = (cell: Cell | undefined): cell is Exclude<Cell, string> =>
  typeof cell === 'object' && cell.isNested === true;

const nestedError = (column: string, cell: Cell, hint: string) =>
  invalidInput(`The value of ${JSON.stringify(column)} is nested: ${short(textOf(cell))}. ${hint}`);
