/**
 * What the user does with the rows of the grid: changes a value, deletes the selected entities, and
 * arranges the columns. The parts are loaded with their first use.
 *
 * @module
 */

import { checkIsWritable } from '../copy/table-copy.js';
import { displayCount } from '../display.js';
import type { CellEditor } from '../grid/cell-editor.js';
import type { GridCell, GridPoint } from '../grid/grid-options.js';
import { lazy } from '../lazy.js';
import type { GridActionsOptions } from './delete-selected.js';
import { byId, onClick } from './dom.js';
import { begin } from './notice.js';

export class GridActions {
  readonly #options: GridActionsOptions;
  readonly #bar = byId('selection', HTMLElement);
  readonly #delete = byId('delete-selected', HTMLButtonElement);
  #editor: CellEditor | undefined;
  readonly #columns = lazy(async () => {
    const { ColumnsPanel } = await import('./columns-panel.js');
    return new ColumnsPanel(this.#options.grid.layout);
  });

  readonly #commands = lazy(async () => {
    const { CellCommands } = await import('./cell-commands.js');
    const { grid, rows, onFilter, onSort } = this.#options;
    const onDelete = () => this.delete();
    const onEdit = (cell: GridCell) => this.edit(cell);
    return new CellCommands({ grid, rows, onFilter, onSort, onDelete, onEdit });
  });

  constructor(options: GridActionsOptions) {
    this.#options = options;
    onClick('delete-selected', () => this.delete());
    onClick('clear-selection', () => {
      options.grid.selector.selection.clear();
      options.grid.focus();
    });
    onClick('toggle-columns', () => begin(async () => (await this.#columns()).toggle()));
  }

  /** Opens an editor in the cell. One with a change stays instead, so that nothing is lost. */
  edit(cell: GridCell): void {
    const { whyNot, grid, rows, onChange } = this.#options;
    const table = rows()?.table;
    if (!table) return;
    begin(async () => {
      checkIsWritable(table, whyNot('update'));
      const { CellEditor } = await import('../grid/cell-editor.js');
      if (this.#editor?.isOpen) {
        if (this.#editor.isChanged) return this.#editor.focus();
        this.#editor.close();
      }
      const column = grid.layout.all.find(({ name }) => name === cell.name);
      const [type = 'String'] = column?.types ?? [];
      this.#editor = new CellEditor(cell, {
        ...{ table, type, onChange },
        onClose: () => cell.element.focus({ preventScroll: true }),
      });
    });
  }

  /** Copies the selected rows, or the current cell. */
  copy(): void {
    begin(async () => (await this.#commands()).copy());
  }

  openMenu(cell: GridCell, place: GridPoint): void {
    begin(async () => (await this.#commands()).open(cell, place));
  }

  /** Shows how many rows are selected. */
  showSelection(): void {
    const { selection } = this.#options.grid.selector;
    this.#bar.hidden = !selection.isAll && selection.size === 0;
    const count = selection.isAll ? 'all that match' : displayCount(selection.size);
    this.#delete.textContent = `Delete ${count}`;
  }

  /** Deletes the selected entities after a question. */
  delete(): void {
    if (this.#bar.hidden) return;
    // Loaded with the first deletion.
    begin(async () => (await import('./delete-selected.js')).deleteSelected(this.#options));
  }
}
