/**
 * What the user does with the rows of the grid: selects, copies, changes and deletes, and arranges
 * the columns. The parts are loaded with their first use.
 *
 * @module
 */

import { displayCount } from '../display.js';
import type { GridCell, GridPoint } from '../grid/grid-options.js';
import { lazy } from '../lazy.js';
import { byId, elementRoot, isTyping, onClick } from './dom.js';
import type { CellActions, GridActionsOptions } from './grid-actions-options.js';
import { begin } from './notice.js';

export class GridActions implements CellActions {
  readonly #options: GridActionsOptions;
  readonly #bar = byId('selection', HTMLElement);
  readonly #editing = lazy(
    async () => new (await import('./cell-editing.js')).CellEditing(this.#options),
  );
  readonly #columns = lazy(async () => {
    const { ColumnsPanel } = await import('./columns-panel.js');
    return new ColumnsPanel(this.#options.grid.layout);
  });

  readonly #commands = lazy(async () => {
    const { CellCommands } = await import('./cell-commands.js');
    return new CellCommands(this.#options, this);
  });
  readonly #range = lazy(async () => new (await import('./range-status.js')).RangeStatus());
  readonly #edits = lazy(
    async () => new (await import('./range-edits.js')).RangeEdits(this.#options),
  );
  readonly #bulk = lazy(async () => new (await import('./bulk-edit.js')).BulkEdit(this.#options));

  constructor(options: GridActionsOptions) {
    this.#options = options;
    onClick('delete-selected', () => this.delete());
    onClick('change-selected', () => this.change());
    onClick('clear-selection', () => {
      options.grid.selector.selection.clear();
      options.grid.focus();
    });
    onClick('toggle-columns', () => begin(async () => (await this.#columns()).toggle()));
    onClick('paste-rows', () => begin(async () => options.onRows(await readClipboard())));
    elementRoot().addEventListener('paste', (event) => this.#take(event as ClipboardEvent));
  }

  edit(cell: GridCell): void {
    begin(async () => (await this.#editing()).edit(cell));
  }

  /** Copies what is selected, or the current cell. */
  copy(): void {
    begin(async () => (await this.#commands()).copy());
  }

  openMenu(cell: GridCell, place: GridPoint): void {
    begin(async () => (await this.#commands()).open(cell, place));
  }

  /** Shows how many rows are selected. */
  showSelection(): void {
    const { selection } = this.#options.grid.selector;
    this.#bar.hidden = !selection.isAny;
    const count = selection.isAll ? 'all that match' : displayCount(selection.size);
    byId('delete-selected', HTMLElement).textContent = `Delete ${count}`;
  }

  /** Shows how many cells are selected. */
  showRange(): void {
    const { grid, rows } = this.#options;
    begin(async () => (await this.#range()).show(grid.cells, rows()));
  }

  /** Deletes the selected entities after a question, or the values of the selected cells. */
  delete(): void {
    if (this.#bar.hidden) return this.clearCells();
    // Loaded with the first deletion.
    begin(async () => (await import('./delete-selected.js')).deleteSelected(this.#options));
  }

  /** Changes a property of all selected entities. */
  change(): void {
    begin(async () => (await this.#bulk()).open(this.#options.grid.currentColumn));
  }

  clearCells(): void {
    begin(async () => (await this.#edits()).clear());
  }

  fill(): void {
    begin(async () => (await this.#edits()).fill());
  }

  /** Pastes into the selected cells; without a text, what the clipboard has. */
  paste(text?: string): void {
    begin(async () => (await this.#edits()).paste(text ?? (await readClipboard())));
  }

  #take(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text/plain');
    if (!text || isTyping(event)) return;
    event.preventDefault();
    if (this.#options.grid.hasFocus) return this.paste(text);
    begin(async () => (await import('./pasted-rows.js')).takeRows(text, this.#options.onRows));
  }
}

const readClipboard = () => navigator.clipboard.readText();
