/**
 * Opens the editors of cells, one at a time. It is loaded with the first one.
 *
 * @module
 */

import { checkIsWritable } from '../copy/table-copy.js';
import { CellEditor } from '../grid/cell-editor.js';
import type { GridCell } from '../grid/grid-options.js';
import { step } from '../grid/range-moves.js';
import type { GridActionsOptions } from './grid-actions-options.js';

export class CellEditing {
  readonly #options: GridActionsOptions;
  #editor: CellEditor | undefined;

  constructor(options: GridActionsOptions) {
    this.#options = options;
  }

  /** Opens an editor in the cell. One with a change stays instead, so that nothing is lost. */
  async edit(cell: GridCell): Promise<void> {
    const { whyNot, grid, rows, changes } = this.#options;
    const table = rows()?.table;
    if (!table) return;
    checkIsWritable(table, whyNot('update'));
    if (this.#editor?.isOpen) {
      if (this.#editor.isChanged) return this.#editor.focus();
      this.#editor.close();
    }
    const column = grid.layout.all.find(({ name }) => name === cell.name);
    const [type = 'String'] = column?.types ?? [];
    this.#editor = new CellEditor(cell, {
      ...{ table, type, changes: await changes() },
      onClose: (by) => by && step(grid, by),
    });
  }
}
