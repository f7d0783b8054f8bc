/**
 * Deletes the selected entities, after a question, and shows the progress of many.
 *
 * @module
 */

import { changeText, MOST_TO_UNDO } from '../changes/change.js';
import { deleteForGood } from '../changes/delete-for-good.js';
import { readEntities, type Target } from '../changes/read-entities.js';
import { checkIsWritable } from '../copy/table-copy.js';
import { counted, displayCount } from '../display.js';
import type { RowQuery } from '../rows/row-query.js';
import type { Rows } from '../rows/rows.js';
import { confirm } from './confirm.js';
import type { GridActionsOptions } from './grid-actions-options.js';
import { whileShown } from './while-shown.js';

const verbs = { present: 'Deleting', past: 'Deleted' };

/** Deletes the selected entities after a question. */
export async function deleteSelected(options: GridActionsOptions): Promise<void> {
  const { whyNot, grid } = options;
  const rows = options.rows();
  if (!rows) return;
  const { table, query } = rows;
  checkIsWritable(table, whyNot('delete'));
  const { isAll } = grid.selector.selection;
  const count = await countSelected(options);
  const canUndo = count <= MOST_TO_UNDO;
  const isWanted = await confirm({
    title: `Delete ${counted(count, 'entities')}?`,
    text:
      `This deletes ${isAll ? matching(query) : 'the selected entities'} of the table ` +
      `${table.tableName}. ` +
      (canUndo
        ? 'You can undo it.'
        : `It cannot be undone, because there are more than ${displayCount(MOST_TO_UNDO)}.`),
    action: 'Delete',
  });
  if (!isWanted) return;
  const target = await selectedTarget(options);
  await (canUndo ? deleteWithUndo : deleteAll)(options, rows, target, count);
  grid.selector.selection.clear();
}

/** How many entities are selected. */
export async function countSelected({ grid, rows }: GridActionsOptions): Promise<number> {
  const { isAll, size } = grid.selector.selection;
  return isAll ? countOf(rows()!) : size;
}

export async function selectedTarget({ grid, rows }: GridActionsOptions): Promise<Target> {
  const { isAll, keys } = grid.selector.selection;
  return isAll ? allOf(rows()!) : { keys };
}

const textOf = (count: number) => changeText(counted(count, 'entities'), count, 'deleted');

async function deleteWithUndo(
  { changes }: GridActionsOptions,
  { table }: Rows,
  target: Target,
): Promise<void> {
  const found = await readEntities(table, target);
  const edits = found.map((before) => ({ before, after: undefined }));
  await (await changes()).make({ table, edits, verbs, text: textOf });
}

async function deleteAll(
  { panel, onBusy, onForGood }: GridActionsOptions,
  { table }: Rows,
  target: Target,
  count: number,
): Promise<void> {
  const load = { count, noun: 'entities', verbs };
  const deleted = await whileShown({ panel, onBusy }, load, (how) =>
    deleteForGood(table, target, how),
  );
  onForGood(table.tableName, `${textOf(deleted)} for good.`, -deleted);
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
