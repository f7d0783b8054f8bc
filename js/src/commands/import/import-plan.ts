/**
 * How the options of `entitable import` turn the rows of its files into entities.
 *
 * @module
 */

import type { EdmTypes } from '../../entity/edm.js';
import type { TableEntity } from '../../entity/entities.js';
import type { IsName } from '../../formats/column-names.js';
import { columnsOf, type ColumnSurvey } from '../../formats/column-survey.js';
import { keyColumnsOf, shownValue } from '../../formats/row-columns.js';
import { EntityMaker, planColumns, type KeySource } from '../../formats/row-plan.js';
import type { TextForms } from '../../formats/text-forms.js';
import type { RowChoices } from './import-usage.js';
import type { PlacedRow, RowFile } from './row-file.js';

/** A column of the files, as a dry run prints it. */
export interface ColumnReport {
  readonly column: string;
  readonly property: string;
  readonly type: EdmTypes;
  /** How many rows have a value. */
  readonly values: number;
  /** A text that may be several values, and which one it is. */
  readonly example?: string | undefined;
}

/** How the rows become entities. */
export interface ImportPlan {
  readonly columns: readonly ColumnReport[];
  /** The columns that the service sets. */
  readonly leftOut: readonly string[];
  /** How each file writes numbers and days. */
  readonly forms: ReadonlyMap<RowFile, TextForms>;
  /** @throws {@link TableError} `PropertiesNeedValue`, if the row has no value for a key. */
  entityOf(placed: PlacedRow): TableEntity;
}

// What no key may have.
const NO_KEY_CHARACTERS = /[/\\#?\p{Cc}]/gu;
const DIGITS = 10;

/** @throws an `Error`, if an option names a column that the files do not have, or a key's type. */
export function planOf(
  choices: RowChoices,
  surveys: ReadonlyMap<RowFile, ColumnSurvey>,
  isName: IsName,
): ImportPlan {
  const { partitionKey, rowKey, types } = choices;
  const found = columnsOf([...surveys.values()]);
  const forms = new Map(Array.from(surveys, ([file, survey]) => [file, survey.forms]));
  const names = found.map(({ name }) => name);
  for (const name of [partitionKey, rowKey, ...types.keys()]) {
    if (name === undefined || names.includes(name) || names.length === 0) continue;
    throw new Error(`there is no column ${name}; there are ${names.join(', ')}`);
  }
  const own = keyColumnsOf(names);
  const keys = [partitionKey ?? own[0], rowKey ?? own[1]] as const;
  const { columns, leftOut } = planColumns(found, isName, keys, types);
  const untyped = [...types.keys()].find((name) => !columns.some(({ column }) => column === name));
  if (untyped !== undefined && names.length > 0) {
    throw new Error(`${untyped} has a key, which is a String: it takes no --type`);
  }
  const maker = new EntityMaker<PlacedRow>(
    [keyOf(keys[0], ({ file }) => nameForKeys(file)), keyOf(keys[1], nameOfRow)],
    columns,
    ({ file }) => forms.get(file)!,
  );
  const foundOf = new Map(found.map((column) => [column.name, column]));
  return {
    columns: columns.map(({ column, property, type }) => {
      const { values, example } = foundOf.get(column)!;
      const shown = example && shownValue(type, example.text, example.forms);
      return { column, property, type, values, ...(shown !== undefined && { example: shown }) };
    }),
    leftOut,
    forms,
    entityOf: (placed) => maker.entityOf(placed.row, placed),
  };
}

const nameOfRow = ({ file, line, number }: PlacedRow) =>
  `${nameForKeys(file)}-${String(file.sharesLines ? number : line).padStart(DIGITS, '0')}`;

const keyOf = (
  column: string | undefined,
  otherwise: (placed: PlacedRow) => string,
): KeySource<PlacedRow> => (column === undefined ? otherwise : { column });

const nameForKeys = ({ name }: RowFile) => name.replace(NO_KEY_CHARACTERS, '_');
