/**
 * What a file has: how many rows, and which columns with which types.
 *
 * @module
 */

import { TableError } from 'entitable';

import type { Cell, FileRow } from '../../../js/src/formats/cell.js';
import { textOf } from '../../../js/src/formats/row-columns.js';
import {
  columnsOf,
  ColumnSurvey,
  type ColumnSummary as SurveyedColumn,
} from '../../../js/src/formats/column-survey.js';
import type { KnownForms, TextForms } from '../../../js/src/formats/text-forms.js';
import type { RowFile } from './row-file.js';

// How many values the preview of a column shows.
const EXAMPLES = 3;

export interface ColumnSummary extends SurveyedColumn {
  /** The first values that differ. */
  readonly examples: readonly Cell[];
}

export interface FileSummary {
  readonly rows: number;
  readonly columns: readonly ColumnSummary[];
  /** How the file writes numbers and days. */
  readonly forms: TextForms;
}

export interface SummaryOptions {
  readonly signal: AbortSignal;
  /** How it writes numbers and days, if that is not to be guessed. */
  readonly known: KnownForms;
  onProgress(rows: number): void;
}

/** Reads the whole file once. */
export async function summarize(
  file: RowFile,
  { signal, known, onProgress }: SummaryOptions,
): Promise<FileSummary> {
  const survey = new ColumnSurvey(known);
  const examples = new Map<string, Map<string, Cell>>();
  let rows = 0;
  for await (const batch of file.batches(signal)) {
    for (const row of batch) {
      if (row instanceof TableError) continue;
      survey.add(row, file.columns);
      addExamples(examples, row);
    }
    rows += batch.length;
    onProgress(rows);
  }
  survey.addColumns(file.columns);
  const columns = columnsOf([survey]).map((column) => ({
    ...column,
    examples: [...(examples.get(column.name)?.values() ?? [])],
  }));
  return { rows, columns, forms: survey.forms };
}

function addExamples(examples: Map<string, Map<string, Cell>>, row: FileRow): void {
  for (const [name, cell] of row) {
    const known = examples.get(name);
    if (!known) examples.set(name, new Map([[textOf(cell), cell]]));
    else if (known.size < EXAMPLES) known.set(textOf(cell), cell);
  }
}
