/**
 * What a file has: how many rows, and which columns with which types.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import type { Cell, FileRow } from '../../../js/src/transfer/file-rows.js';
import { InferredType } from '../../../js/src/transfer/infer-types.js';
import { textOf } from '../../../js/src/transfer/row-columns.js';
import type { RowFile } from './row-file.js';

// How many values the preview of a column shows.
const EXAMPLES = 3;

export interface ColumnSummary {
  readonly name: string;
  /** Undefined, if the file says a type for each of its values. */
  readonly type: EdmTypes | undefined;
  /** The types that the file says. */
  readonly declared: ReadonlySet<EdmTypes>;
  /** The first values that differ. */
  readonly examples: readonly string[];
}

export interface FileSummary {
  readonly rows: number;
  readonly columns: readonly ColumnSummary[];
}

export interface SummaryOptions {
  readonly signal: AbortSignal;
  onProgress(rows: number): void;
}

/** Reads the whole file once: the last row may have another type than the first ones. */
export async function summarize(
  file: RowFile,
  { signal, onProgress }: SummaryOptions,
): Promise<FileSummary> {
  const columns = new Map<string, Column>();
  let rows = 0;
  for await (const batch of file.batches(signal)) {
    for (const row of batch) addRow(columns, row);
    rows += batch.length;
    onProgress(rows);
  }
  return { rows, columns: Array.from(columns, ([name, column]) => column.summary(name)) };
}

function addRow(columns: Map<string, Column>, row: FileRow): void {
  for (const [name, cell] of row) {
    let column = columns.get(name);
    if (!column) columns.set(name, (column = new Column()));
    column.add(cell);
  }
}

class Column {
  readonly #inferred = new InferredType();
  readonly #declared = new Set<EdmTypes>();
  readonly #examples = new Set<string>();
  #isDeclared = true;

  add(cell: Cell): void {
    if (this.#examples.size < EXAMPLES) this.#examples.add(textOf(cell));
    if (typeof cell !== 'string') {
      this.#declared.add(cell.type);
      return;
    }
    this.#isDeclared = false;
    this.#inferred.add(cell);
  }

  summary(name: string): ColumnSummary {
    const type = this.#isDeclared ? undefined : this.#inferred.type;
    return { name, type, declared: this.#declared, examples: [...this.#examples] };
  }
}
