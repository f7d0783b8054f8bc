/**
 * How the rows of files become entities: the types of the columns, the properties that they become,
 * and the sources of the keys. The command line and the explorer use it for their imports.
 *
 * @module
 */

import { invalidInput, TableError } from '../base/errors.js';
import { short } from '../base/shown.js';
import type { EdmTypes } from '../entity/edm.js';
import type { TableEntity } from '../entity/entities.js';
import { apiName, define } from '../entity/json.js';
import type { Cell, FileRow } from './cell.js';
import { propertyNames, type IsName } from './column-names.js';
import { InferredType } from './infer-types.js';
import { keyColumnsOf, systemColumnsOf, textOf, valueOf, type KeyColumns } from './row-columns.js';
import {
  FormsEvidence,
  formsFor,
  mayHaveForms,
  PLAIN_FORMS,
  plainText,
  type KnownForms,
  type TextForms,
} from './text-forms.js';

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
  readonly #known: KnownForms;
  readonly #forms: readonly TextForms[];
  #header: readonly string[] = [];

  /** @param known - how numbers and days are written, if it is not to be guessed. */
  constructor(known: KnownForms = {}) {
    this.#known = { ...known };
    this.#forms = formsFor(known);
  }

  /** Takes the columns of a header. They may have no values. */
  addColumns(names: readonly string[]): void {
    if (names === this.#header) return;
    this.#header = names;
    for (const name of names) this.#column(name);
  }

  /** @param header - the columns of its file. */
  add(row: FileRow, header: readonly string[] = []): void {
    this.addColumns(header);
    for (const [name, cell] of row) {
      this.#column(name).add(cell);
    }
  }

  #column(name: string): Column {
    let column = this.#columns.get(name);
    if (!column) this.#columns.set(name, (column = new Column(this.#forms)));
    return column;
  }

  /** How the files write numbers and days. */
  get forms(): TextForms {
    const evidence = new FormsEvidence();
    for (const column of this.#columns.values()) {
      if (this.#forms.some((_, at) => column.inferred(at) !== 'String')) {
        evidence.addAll(column.evidence);
      }
    }
    const { decimal, dates, hasGroups } = evidence.forms(this.#known);
    return this.#forms.find(
      (one) => one.decimal === decimal && one.dates === dates && one.hasGroups === hasGroups,
    )!;
  }

  /** The columns, in the order of the files. */
  get columns(): ColumnSummary[] {
    const at = this.#forms.indexOf(this.forms);
    return Array.from(this.#columns, ([name, column]) => column.summary(name, at));
  }
}

// What no number and no day is: a number in other forms than those of its file.
const OTHER_FORM = '?';

class Column {
  readonly evidence = new FormsEvidence();
  readonly #forms: readonly TextForms[];
  // For each of the forms, from the first text on that they read differently. One before.
  #inferred = [new InferredType()];
  readonly #declared = new Set<EdmTypes>();
  #values = 0;

  constructor(forms: readonly TextForms[]) {
    this.#forms = forms;
  }

  add(cell: Cell): void {
    this.#values++;
    if (typeof cell === 'string' && mayHaveForms(cell)) this.#inferInForms(cell);
    else if (typeof cell === 'string' || cell.type === undefined) this.#infer(textOf(cell));
    else if (!cell.isNested) this.#declared.add(cell.type);
  }

  #infer(text: string): void {
    for (const inferred of this.#inferred) inferred.add(text);
  }

  #inferInForms(text: string): void {
    this.evidence.add(text);
    const texts = this.#forms.map((forms) => plainText(text, forms) ?? OTHER_FORM);
    const isAlike = texts.every((one) => one === texts[0]);
    if (!isAlike && this.#inferred.length === 1) {
      this.#inferred = texts.map(() => this.#inferred[0]!.copy());
    }
    this.#inferred.forEach((inferred, at) => inferred.add(texts[at]!));
  }

  /** The type of the texts, if they have the forms at this index. */
  inferred(at: number): EdmTypes {
    return (this.#inferred[at] ?? this.#inferred[0]!).type;
  }

  /** @param at - the index of the forms of the file. */
  summary(name: string, at: number): ColumnSummary {
    const [first, second] = this.#declared;
    const type = first && !second ? first : this.inferred(at);
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
  readonly #forms: TextForms;

  /** @param forms - how the files write numbers and days. */
  constructor(
    keys: readonly [partitionKey: KeySource<Place>, rowKey: KeySource<Place>],
    columns: readonly ColumnPlan[],
    forms: TextForms = PLAIN_FORMS,
  ) {
    this.#keys = keys;
    this.#columns = columns;
    this.#forms = forms;
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
        typeof cell === 'object' ? [cell.type, PLAIN_FORMS] : [undefined, this.#forms];
      const value = valueOf((isForAll ? undefined : declared) ?? type, textOf(cell), forms);
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
