/**
 * Finds the types of columns, and how each file writes numbers and days.
 *
 * @module
 */

import type { EdmTypes } from '../entity/edm.js';
import type { Cell, FileRow } from './cell.js';
import { InferredType } from './infer-types.js';
import { plainTextOf } from './row-columns.js';
import {
  FormsEvidence,
  formsFor,
  isEitherNumber,
  mayHaveForms,
  plainText,
  type KnownForms,
  type TextForms,
} from './text-forms.js';

/** What the rows of one file or of several have in a column. */
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
  /** Whether a row has a nested value. */
  readonly hasNested: boolean;
  /** The first text that is another value in other forms, and the forms of its file. */
  readonly example: FormedText | undefined;
}

/** A text, and how its file writes numbers and days. */
export interface FormedText {
  readonly text: string;
  readonly forms: TextForms;
}

/** Summarizes the columns of all rows: the last row may have other types than the first. */
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

  /** What the texts show that may be numbers or days. */
  get evidence(): FormsEvidence {
    const evidence = new FormsEvidence();
    for (const column of this.#columns.values()) {
      if (this.#forms.some((_, at) => column.inferred(at).type !== 'String')) {
        evidence.addAll(column.evidence);
      }
    }
    return evidence;
  }

  /** How the file writes numbers and days. */
  get forms(): TextForms {
    const { decimal, dates, hasGroups } = this.evidence.forms(this.#known);
    return this.#forms.find(
      (one) => one.decimal === decimal && one.dates === dates && one.hasGroups === hasGroups,
    )!;
  }

  /**
   * The columns, in the order of the file.
   *
   * @param hasComma - whether any file of the same import has a decimal comma.
   */
  columns(hasComma: boolean): Map<string, ColumnParts> {
    const { forms } = this;
    const at = this.#forms.indexOf(forms);
    const isUnsure = hasComma && this.#known.decimal === undefined && this.evidence.isUnsure;
    return new Map(
      Array.from(this.#columns, ([name, column]) => [name, column.parts(at, forms, isUnsure)]),
    );
  }
}

/** What becomes the summary of a column. */
interface ColumnParts extends Omit<ColumnSummary, 'name' | 'type'> {
  readonly inferred: InferredType;
}

/**
 * The columns of several files, in the order of the files. Each file has its own forms, and a
 * column has one type in all of them.
 */
export function columnsOf(surveys: readonly ColumnSurvey[]): ColumnSummary[] {
  const hasComma = surveys.some(({ evidence }) => evidence.hasComma);
  const merged = new Map<string, ColumnParts>();
  for (const survey of surveys) {
    for (const [name, parts] of survey.columns(hasComma)) {
      const before = merged.get(name);
      merged.set(name, before ? mergedParts(before, parts) : parts);
    }
  }
  return Array.from(merged, ([name, { inferred, ...parts }]) => {
    const [first, second] = parts.declared;
    return { name, type: first && !second ? first : inferred.type, ...parts };
  });
}

function mergedParts(one: ColumnParts, other: ColumnParts): ColumnParts {
  const inferred = one.inferred.copy();
  inferred.addAll(other.inferred);
  return {
    inferred,
    declared: new Set([...one.declared, ...other.declared]),
    values: one.values + other.values,
    hasNested: one.hasNested || other.hasNested,
    example: one.example ?? other.example,
  };
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
  #hasNested = false;
  #example: string | undefined;

  constructor(forms: readonly TextForms[]) {
    this.#forms = forms;
  }

  add(cell: Cell): void {
    this.#values++;
    if (typeof cell === 'string' && mayHaveForms(cell)) this.#inferInForms(cell);
    else if (typeof cell === 'string' || cell.type === undefined) this.#infer(plainTextOf(cell));
    else if (cell.isNested) this.#hasNested = true;
    else this.#declared.add(cell.type);
  }

  #infer(text: string): void {
    for (const inferred of this.#inferred) inferred.add(text);
  }

  #inferInForms(text: string): void {
    this.evidence.add(text);
    const texts = this.#forms.map((forms) => plainText(text, forms) ?? OTHER_FORM);
    const isAlike = texts.every((one) => one === texts[0]);
    const isRead = texts.some((one) => one !== text && one !== OTHER_FORM);
    if (isRead || isEitherNumber(text)) this.#example ??= text;
    if (!isAlike && this.#inferred.length === 1) {
      this.#inferred = texts.map(() => this.#inferred[0]!.copy());
    }
    this.#inferred.forEach((inferred, at) => inferred.add(texts[at]!));
  }

  /** The type of the texts, if they have the forms at this index. */
  inferred(at: number): InferredType {
    return this.#inferred[at] ?? this.#inferred[0]!;
  }

  /**
   * @param at - the index of the forms of the file.
   * @param forms - at this index.
   * @param isUnsure - whether a number that two signs make different numbers of stays a text.
   */
  parts(at: number, forms: TextForms, isUnsure: boolean): ColumnParts {
    const inferred = this.inferred(at).copy();
    if (isUnsure && this.evidence.isAmbiguous) inferred.add(OTHER_FORM);
    const text = this.#example;
    const example = text === undefined ? undefined : { text, forms };
    return {
      ...{ inferred, declared: this.#declared, values: this.#values },
      ...{ hasNested: this.#hasNested, example },
    };
  }
}
