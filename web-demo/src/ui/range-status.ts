/**
 * Says how many cells are selected, and sums up their numbers. It is loaded with the first range.
 *
 * @module
 */

import { displayNumber } from '../display.js';
import type { CellRange } from '../grid/cell-range.js';
import { isWide, sizeText } from '../grid/range-size.js';
import type { Rows } from '../rows/rows.js';
import type { TypedEntity, TypedValue } from '../typed-entity.js';
import { byId } from './dom.js';
import { begin } from './notice.js';

// The rows of more are not read for a sum.
const MOST_ROWS = 10_000;

// The user has stopped moving, in milliseconds.
const REST_MS = 120;

export class RangeStatus {
  readonly #text = byId('range-text', HTMLElement);
  #rest: ReturnType<typeof setTimeout> | undefined;
  #latest: CellRange | undefined;

  show(range: CellRange | undefined, rows: Rows | undefined): void {
    clearTimeout(this.#rest);
    this.#latest = range && isWide(range) ? range : undefined;
    const shown = this.#latest;
    if (!shown) return void (this.#text.textContent = '');
    // Screen readers read it once the user has stopped.
    this.#rest = setTimeout(() => begin(() => this.#say(shown, rows)), REST_MS);
  }

  async #say(range: CellRange, rows: Rows | undefined): Promise<void> {
    const { first, last } = range.rows;
    const size = sizeText(range);
    // What cannot be read has no sum. The grid itself shows the error.
    const entities =
      last - first < MOST_ROWS ? await rows?.entities(range.rows).catch(() => []) : [];
    if (range !== this.#latest) return;
    this.#text.textContent = [size, ...figuresOf(entities ?? [], range.columns)].join(' · ');
  }
}

function figuresOf(entities: readonly TypedEntity[], columns: readonly string[]): string[] {
  const values = entities.flatMap(({ properties }) =>
    columns.flatMap((name) => numberOf(properties.get(name)) ?? []),
  );
  if (values.length < 2) return [];
  // Whole numbers have no rounding.
  const areWhole = values.every((value) => typeof value === 'bigint');
  const sum = areWhole
    ? values.reduce((all, value) => all + value, 0n)
    : values.reduce<number>((all, value) => all + Number(value), 0);
  return [`sum ${displayNumber(sum)}`, `average ${displayNumber(Number(sum) / values.length)}`];
}

function numberOf(property: TypedValue | undefined): number | bigint | undefined {
  if (property?.type === 'Double') return Number(property.value);
  if (property?.type === 'Int32' || property?.type === 'Int64') return BigInt(property.value);
  return undefined;
}
