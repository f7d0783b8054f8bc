/**
 * A text of the clipboard, as values of cells: each with the type that its cell has, or else its
 * column, or else the type that the pasted texts look like.
 *
 * @module
 */

import { loadValidator, type EdmTypes } from 'entitable';

import { ColumnSurvey, columnsOf } from '../../../js/src/formats/column-survey.js';
import { valueOf } from '../../../js/src/formats/row-columns.js';
import { shortened } from '../display.js';
import { toEntity } from '../entity-draft.js';
import type { CellRange } from '../grid/cell-range.js';
import type { TypedEntity, TypedValue } from '../typed-entity.js';
import { cellsOf } from './tabbed-text.js';

const MOST_LETTERS = 40;

/** The type of a column, if all its values have one. */
type TypeOf = (name: string) => EdmTypes | undefined;

export class Paste {
  readonly #cells: readonly (readonly string[])[];

  constructor(text: string) {
    this.#cells = cellsOf(text);
  }

  /** Whether it fills all cells. */
  get isOneValue(): boolean {
    return this.#cells.length === 1 && this.#cells[0]!.length === 1;
  }

  /**
   * The cells that it is for.
   *
   * @throws an Error, if it has more rows or columns than there are.
   */
  placeFrom(
    { rows: { first }, columns: [from] }: CellRange,
    names: readonly string[],
    size: { readonly rows: number },
  ): CellRange {
    const rows = this.#cells.length;
    const width = Math.max(...this.#cells.map(({ length }) => length));
    const columns = names.slice(names.indexOf(from!), names.indexOf(from!) + width);
    const room = size.rows - first;
    if (rows > room) {
      throw refusal(`It has ${rows} rows, and from this cell on there are ${room}.`);
    }
    if (width > columns.length) {
      throw refusal(`It has ${width} columns, and from this cell on there are ${columns.length}.`);
    }
    return { rows: { first, last: first + rows - 1 }, columns };
  }

  /**
   * @returns the value of each cell.
   * @throws an Error that names the first cell whose value does not fit.
   */
  async valuesFor({ columns }: CellRange, entities: readonly TypedEntity[], typeOf: TypeOf) {
    const survey = new ColumnSurvey();
    const textAt = (name: string, at: number) => {
      const row = this.isOneValue ? this.#cells[0]! : this.#cells[at]!;
      return this.isOneValue ? row[0] : row[columns.indexOf(name)];
    };
    entities.forEach((_, at) => {
      const texts = columns.map((name) => [name, textAt(name, at) ?? ''] as const);
      survey.add(new Map(texts.filter(([, text]) => text !== '')));
    });
    const { forms } = survey;
    const inferred = new Map(columnsOf([survey]).map(({ name, type }) => [name, type]));
    const valueIn = (name: string, { properties }: TypedEntity, at: number) => {
      const before = properties.get(name);
      const text = textAt(name, at);
      // A line may be shorter than others. An empty text differs from none.
      if (text === undefined || (text === '' && before?.value === '')) return before;
      if (text === '') return undefined;
      const type = before?.type ?? typeOf(name) ?? inferred.get(name) ?? 'String';
      return typedValue(type, valueOf(type, text, forms));
    };
    await check(columns, entities, textAt, valueIn);
    return valueIn;
  }
}

type ValueIn = (name: string, entity: TypedEntity, at: number) => TypedValue | undefined;

async function check(
  columns: readonly string[],
  entities: readonly TypedEntity[],
  textAt: (name: string, at: number) => string | undefined,
  valueIn: ValueIn,
): Promise<void> {
  const validator = await loadValidator();
  entities.forEach((entity, at) => {
    const { partitionKey, rowKey } = entity;
    for (const name of columns) {
      const text = textAt(name, at);
      if (name === 'timestamp' || text === undefined) continue;
      const place = `In the row ${rowKey}, the column ${name}`;
      if (name === 'partitionKey' || name === 'rowKey') {
        if (text !== '' && text !== entity[name]) throw refusal(`${place} is a key, which stays.`);
        continue;
      }
      const value = valueIn(name, entity, at);
      if (!value || value === entity.properties.get(name)) continue;
      const properties = new Map([[name, value]]);
      const [issue] = validator.validateEntity(toEntity({ partitionKey, rowKey, properties }));
      if (!issue) continue;
      throw refusal(`${place} has ${value.type}s, and “${shortened(text, MOST_LETTERS)}” is none.`);
    }
  });
}

function typedValue(type: EdmTypes, value: unknown): TypedValue {
  return typeof value === 'string' ? { type, value } : (value as TypedValue);
}

const refusal = (why: string) => new Error(`Nothing was pasted. ${why}`);
