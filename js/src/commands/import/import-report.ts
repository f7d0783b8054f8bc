/**
 * What an import prints: a line for each reason to refuse rows, and what it has done.
 *
 * @module
 */

import { isTableError, type TableError } from '../../base/errors.js';
import type { Issue } from '../../base/issue.js';
import { FaultGroups, rowsText } from '../../formats/fault-groups.js';
import { readingText } from '../../formats/reading.js';
import { namesIn, type Row } from '../../formats/rows.js';
import { failureText } from '../../server/failure-text.js';
import { columnLines } from '../column-lines.js';
import type { Output } from '../line/command.js';
import type { ProgressLine } from '../line/progress-line.js';
import { counted } from '../move/table-move.js';
import type { ImportPlan } from './import-plan.js';
import type { ImportArguments } from './import-usage.js';
import type { PlacedRow, RowFile, RowPlace } from './row-file.js';

const WIDEST_COLUMN = 40;

const countText = (count: number) => `${counted(count)} ${count === 1 ? 'row' : 'rows'}`;

// The report says where the row is. The place in an error is that in a batch of rows, and its keys
// would only keep like rows apart.
function textWithoutPlace(error: TableError): string {
  const { entityIndex, operationIndex, odataError } = error.details;
  if (entityIndex === undefined && operationIndex === undefined) return failureText(error);
  return odataError.message.value.replace(/^\d+:/, '');
}

type ReadPlan = Pick<ImportPlan, 'columns' | 'leftOut' | 'forms'>;

/** The report of one command. */
export class ImportReport {
  readonly #given: ImportArguments;
  readonly #line: ProgressLine;
  readonly #output: Output;
  readonly #groups = new FaultGroups();
  // The files whose rows have numbers, because several are on one line.
  readonly #numbered = new Set<string>();
  #refused = 0;
  #repeated = 0;
  /** How many rows were stored, or would be. */
  good = 0;
  /** How many of the stored entities are new. A storage account cannot tell: undefined. */
  added: number | undefined;

  constructor(given: ImportArguments, line: ProgressLine, output: Output) {
    this.#given = given;
    this.#line = line;
    this.#output = output;
  }

  /** Whether no row was refused. */
  get isGood(): boolean {
    return this.#refused === 0;
  }

  /** Notes what is wrong with a row. As JSON, it is printed at once. */
  readonly refuse = async (place: RowPlace, error: TableError): Promise<void> => {
    this.#refused++;
    const {
      code,
      issues: [broken],
    } = error;
    const message = broken?.message ?? textWithoutPlace(error);
    if (this.#given.isJson) await this.#printJson(place, { code, message });
    else await this.#group(place, `${code}: ${message}`, broken);
  };

  /** Notes that a row would be stored over an earlier one. */
  async repeat(place: RowPlace): Promise<void> {
    this.#repeated++;
    if (this.#given.isJson) await this.#printJson(place, { isRepeated: true });
    else await this.#group(place, 'has the keys of an earlier row, and would be stored over it');
  }

  async #printJson({ file, line, number }: RowPlace, fault: object): Promise<void> {
    await this.#print(JSON.stringify({ file: file.path, line, row: number, ...fault }));
  }

  // When there are too many groups, those that are there are printed.
  async #group({ file, line, number }: RowPlace, text: string, broken?: Issue): Promise<void> {
    if (file.sharesLines) this.#numbered.add(file.path);
    const fault = [file.path, text, file.sharesLines ? number : line, broken] as const;
    if (this.#groups.add(...fault)) return;
    await this.flush();
    this.#groups.add(...fault);
  }

  /** Prints what was noted about rows. */
  async flush(): Promise<void> {
    for (const group of this.#groups.take()) {
      const { scope, count } = group;
      const before = this.#numbered.has(scope) ? `, row${count > 1 ? 's' : ''} ` : ':';
      await this.#print(`${scope}${before}${rowsText(group)}: ${group.text}`);
    }
  }

  async #print(text: string): Promise<void> {
    this.#line.clear();
    await this.#output.write(text);
  }

  /** Does work for a row. Refuses the row, and returns undefined, if the work fails. */
  async attempt<T>(row: PlacedRow, work: () => T): Promise<T | undefined> {
    try {
      return work();
    } catch (error) {
      if (!isTableError(error)) throw error;
      await this.refuse(row, error);
      return undefined;
    }
  }

  /** Prints that an archive is restored. */
  async restored(lines: number): Promise<void> {
    this.#line.clear();
    const isJson = this.#given.isJson;
    await this.#output.write(
      isJson ? JSON.stringify({ lines }) : `${counted(lines)} lines restored`,
    );
  }

  /** Prints the last lines. */
  async end(plan: ReadPlan, files: readonly RowFile[]): Promise<void> {
    const lines = this.#given.isJson ? [this.#summary(plan, files)] : this.#lines(plan, files);
    await this.flush();
    this.#line.clear();
    for (const line of lines) await this.#output.write(line);
  }

  #summary({ columns, leftOut, forms }: ReadPlan, files: readonly RowFile[]): string {
    const { table, isDry } = this.#given;
    const readings = files.map((file) => {
      const { path, reading } = file;
      const { encoding, form } = reading;
      const own = form && forms.get(file);
      return {
        path,
        encoding,
        separator: form?.separator,
        quote: form?.quote,
        decimal: own?.decimal,
        dates: own?.dates,
      };
    });
    const [good, refused, repeated] = [this.good, this.#refused, this.#repeated];
    return JSON.stringify(
      isDry
        ? { good, refused, repeated, columns, leftOut, files: readings }
        : { table, stored: good, added: this.added, refused, leftOut, files: readings },
    );
  }

  #lines({ columns, leftOut, forms }: ReadPlan, files: readonly RowFile[]): string[] {
    const names = leftOut.join(', ');
    const rows = columns as unknown as Row[];
    const { isDry } = this.#given;
    return [
      ...files.map((file) => `${file.path}: ${readingText(file.reading, forms.get(file)!)}`),
      ...(isDry && rows.length > 0 ? columnLines(namesIn(rows), rows, WIDEST_COLUMN) : []),
      ...(names === '' ? [] : [`left out, because the service sets it: ${names}`]),
      isDry ? this.#checked() : this.#stored(),
    ];
  }

  #checked(): string {
    const refused =
      this.#refused > 0 ? `${countText(this.#refused)} would be refused` : 'all are good';
    const parts = [
      `${countText(this.good + this.#refused)} read`,
      refused,
      ...(this.#repeated > 0 ? [`${counted(this.#repeated)} with the keys of an earlier row`] : []),
    ];
    return parts.join(', ');
  }

  #stored(): string {
    const old = this.added === undefined ? 0 : this.good - this.added;
    const parts = [
      `${this.#given.table}: ${countText(this.good)} stored`,
      ...(old > 0 ? [`${counted(old)} of them over an entity with the same keys`] : []),
      ...(this.#refused > 0 ? [`${counted(this.#refused)} refused`] : []),
    ];
    return parts.join(', ');
  }
}
