/**
 * Deletes the selected entities, after a question, and shows the progress of many.
 *
 * @module
 */

import { checkIsWritable } from '../copy/table-copy.js';
import { deleteForGood, deleteWithUndo, MOST_TO_UNDO } from '../delete-entities.js';
import type { Deletion, Target } from '../delete-entities.js';
import { counted, displayCount } from '../display.js';
import type { LoadOptions, LoadProgress } from '../load-progress.js';
import type { EntityChange } from '../entity-change.js';
import type { WhyNot } from '../explorer/home.js';
import type { Grid } from '../grid/grid.js';
import type { RowQuery, Sort } from '../rows/row-query.js';
import type { Rows } from '../rows/rows.js';
import { confirm } from './confirm.js';
import type { LoadPanel } from './load-panel.js';

/** The grid, its rows, and who is told what is done with them. */
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

// Less take no time that is worth a progress.
const LEAST_TO_SHOW = 1000;

const DELETE = { present: 'Deleting', past: 'Deleted' };

/** Deletes the selected entities after a question. */
export async function deleteSelected(options: GridActionsOptions): Promise<void> {
  const { whyNot, grid } = options;
  const rows = options.rows();
  if (!rows) return;
  const { table, query } = rows;
  checkIsWritable(table, whyNot('delete'));
  const { isAll, keys } = grid.selector.selection;
  const count = isAll ? await countOf(rows) : keys.length;
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
  await whileShown(options, count, (how) => work(table, target, how), table.tableName);
}

async function whileShown(
  options: GridActionsOptions,
  count: number,
  work: (options: LoadOptions) => Promise<Deletion>,
  table: string,
): Promise<void> {
  const { panel, grid, onBusy, onChange } = options;
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
