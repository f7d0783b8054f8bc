/**
 * Changes the values of selected cells: removes them, fills them down, and pastes into them. Each
 * is one change, which can be undone. It is loaded with the first of them.
 *
 * @module
 */

import { changeText, MOST_TO_UNDO } from '../changes/change.js';
import { checkIsWritable } from '../copy/table-copy.js';
import { counted, displayCount } from '../display.js';
import { withValue } from '../entity-draft.js';
import { isProperty, type CellRange } from '../grid/cell-range.js';
import { selectCells } from '../grid/range-moves.js';
import { isWide } from '../grid/range-size.js';
import type { RowRange, Rows } from '../rows/rows.js';
import type { EntityContent, TypedEntity, TypedValue } from '../typed-entity.js';
import type { GridActionsOptions } from './grid-actions-options.js';
import { hideNotice } from './notice.js';

/** A value for a cell; undefined for none. */
type ValueOf = (name: string, entity: TypedEntity, at: number) => TypedValue | undefined;

export class RangeEdits {
  readonly #options: GridActionsOptions;

  constructor(options: GridActionsOptions) {
    this.#options = options;
  }

  /** Removes the values of the selected cells. */
  async clear(): Promise<void> {
    const { cells } = this.#options.grid;
    if (cells) await this.#write(cells, 'removed', () => undefined);
  }

  /** Writes the values of the first row into the others; in one row, those of the row above. */
  async fill(): Promise<void> {
    const { cells } = this.#options.grid;
    if (!cells) return;
    const { first, last } = cells.rows;
    const from = first === last ? first - 1 : first;
    if (from < 0) return;
    const [source] = await this.#read({ first: from, last: from });
    const rows = { first: from + 1, last };
    await this.#write({ ...cells, rows }, 'filled', (name) => source!.properties.get(name));
  }

  /** Writes the cells of a text from the selected cell on, or one value into all selected cells. */
  async paste(text: string): Promise<void> {
    const { grid } = this.#options;
    const selected = grid.cells;
    if (!selected) return;
    // Loaded with the first paste.
    const [{ Paste }, { hasKeys }] = await Promise.all([
      import('./paste.js'),
      import('./pasted-rows.js'),
    ]);
    if (hasKeys(text)) return this.#options.onRows(text);
    const paste = new Paste(text);
    const target = paste.isOneValue ? selected : paste.placeFrom(selected, this.#names, grid.size);
    const typeOf = (name: string) => {
      const types = grid.layout.all.find((column) => column.name === name)?.types ?? [];
      const [type, other] = types;
      return other ? undefined : type;
    };
    const entities = await this.#read(target.rows);
    const valueOf = await paste.valuesFor(target, entities, typeOf);
    await this.#write(target, 'pasted', valueOf);
    if (isWide(target)) selectCells(grid, target);
  }

  get #rows(): Rows {
    return this.#options.rows()!;
  }

  get #names(): readonly string[] {
    return this.#options.grid.columnNames.slice(1);
  }

  async #read(rows: RowRange): Promise<readonly TypedEntity[]> {
    if (rows.last - rows.first >= MOST_TO_UNDO) {
      throw new Error(
        `At most ${displayCount(MOST_TO_UNDO)} rows can be changed so, because an undo keeps no ` +
          'more. Select fewer, or all rows and “Change”.',
      );
    }
    return this.#rows.entities(rows);
  }

  async #write({ rows, columns }: CellRange, verb: string, valueOf: ValueOf): Promise<void> {
    const { table } = this.#rows;
    hideNotice();
    checkIsWritable(table, this.#options.whyNot('update'));
    const names = columns.filter(isProperty);
    let cells = 0;
    const edits = (await this.#read(rows)).flatMap((before, at) => {
      let after: EntityContent = before;
      for (const name of names) {
        const value = valueOf(name, before, at);
        if (isSame(value, before.properties.get(name))) continue;
        after = withValue(after, name, value);
        cells++;
      }
      return after === before ? [] : [{ before, after }];
    });
    if (edits.length === 0) return;
    const [only] = edits;
    const subject = cells === 1 ? `A value of ${only!.before.rowKey}` : counted(cells, 'values');
    const text = () => changeText(subject, cells, verb);
    await (await this.#options.changes()).make({ table, edits, text });
  }
}

function isSame(a: TypedValue | undefined, b: TypedValue | undefined): boolean {
  return a?.type === b?.type && a?.value === b?.value;
}
