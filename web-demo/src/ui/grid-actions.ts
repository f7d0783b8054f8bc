/**
 * What the user does with the rows of the grid: changes a value, deletes the selected entities, and
 * arranges the columns. The parts are loaded with their first use.
 *
 * @module
 */

import { checkIsWritable } from '../copy/table-copy.js';
import type { WhyNot } from '../explorer/home.js';
import { counted, displayCount } from '../display.js';
import type { Deletion, Target } from '../delete-entities.js';
import type { EntityChange } from '../entity-change.js';
import type { CellEditor } from '../grid/cell-editor.js';
import type { Grid } from '../grid/grid.js';
import type { GridCell, GridPoint } from '../grid/grid-options.js';
import type { LoadOptions, LoadProgress } from '../load-progress.js';
import { lazy } from '../lazy.js';
import type { RowQuery, Sort } from '../rows/row-query.js';
import type { Rows } from '../rows/rows.js';
import { confirm } from './confirm.js';
import { byId, onClick } from './dom.js';
import type { LoadPanel } from './load-panel.js';
import { begin } from './notice.js';

// Less take no time that is worth a progress.
const LEAST_TO_SHOW = 1000;

const DELETE = { present: 'Deleting', past: 'Deleted' };

export interface GridActionsOptions {
  readonly whyNot: WhyNot;
  readonly grid: Grid;
  readonly panel: LoadPanel;
  /** The rows that are shown. */
  rows(): Rows | undefined;
  onChange(change: EntityChange): void;
  onBusy(isBusy: boolean): void;
  onFilter(filter: string): void;
  onSort(sort: Sort): void;
}

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
    if (!this.#bar.hidden) begin(() => this.#deleteSelected());
  }

  async #deleteSelected(): Promise<void> {
    const { whyNot, grid } = this.#options;
    const rows = this.#options.rows();
    if (!rows) return;
    const { table, query } = rows;
    checkIsWritable(table, whyNot('delete'));
    const { isAll, keys } = grid.selector.selection;
    const count = isAll ? await countOf(rows) : keys.length;
    const { deleteForGood, deleteWithUndo, MOST_TO_UNDO } = await import('../delete-entities.js');
    const canUndo = count <= MOST_TO_UNDO;
    const isWanted = await confirm({
      title: `Delete ${counted(count, 'entities')}?`,
      text:
        `This deletes ${isAll ? matching(query) : 'the selected entities'} of the table ` +
        `${table.tableName}. ` +
        (canUndo
          ? 'You can undo it until your next change.'
          : `It cannot be undone, because there are more than ${displayCount(MOST_TO_UNDO)}.`),
      action: 'Delete',
    });
    if (!isWanted) return;
    const target = isAll ? await allOf(rows) : { keys };
    const work = canUndo ? deleteWithUndo : deleteForGood;
    await this.#whileShown(count, (options) => work(table, target, options), table.tableName);
  }

  async #whileShown(
    count: number,
    work: (options: LoadOptions) => Promise<Deletion>,
    table: string,
  ): Promise<void> {
    const { panel, grid, onBusy, onChange } = this.#options;
    const isShown = count > LEAST_TO_SHOW;
    const start = performance.now();
    const load = { count, noun: 'entities', verbs: DELETE };
    const signal = isShown ? panel.begin(load) : new AbortController().signal;
    onBusy(true);
    try {
      const onProgress = (progress: LoadProgress) => isShown && panel.show(progress);
      const { count: loaded, kept, undo } = await work({ signal, onProgress });
      if (isShown) panel.finish({ loaded, milliseconds: performance.now() - start });
      grid.selector.selection.clear();
      const note = kept > 0 ? ` ${counted(kept, 'entities')} changed meanwhile, and stay.` : '';
      onChange({
        kind: 'deleted',
        table,
        subject: counted(loaded, 'entities'),
        count: loaded,
        note,
        undo,
      });
    } catch (error) {
      if (isShown) panel.close();
      throw error;
    } finally {
      onBusy(false);
    }
  }
}

// What a remote account does not count, the user has seen.
async function countOf({ table, query, canJump, isFinal, total }: Rows): Promise<number> {
  if (canJump && !query.search) return table.countEntities({ filter: query.filter });
  if (isFinal) return total;
  throw new Error('The service does not count. Scroll to the last row before you delete all.');
}

// A filter does not say what a search has found.
async function allOf(rows: Rows): Promise<Target> {
  const { search, filter } = rows.query;
  return search ? { keys: await rows.keys({ first: 0, last: rows.total - 1 }) } : { filter };
}

function matching({ filter, search }: RowQuery): string {
  if (search) return 'all entities that the search has found';
  return filter.trim() ? 'all entities that match the filter' : 'all entities';
}
