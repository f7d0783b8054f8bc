/**
 * What the user does in the grid with keys and clicks.
 *
 * @module
 */

import { isProperty } from './cell-range.js';
import { Grid } from './grid.js';
import { nextSort } from './grid-head.js';
import { moveOf } from './grid-keys.js';
import type { GridOptions } from './grid-options.js';
import { SELECT_COLUMN, type GridRow } from './grid-row.js';
import { isInRange, placeOf } from './range-moves.js';

// In pixels, for one press of a key.
const WIDTH_STEP = 16;

/** Makes a grid that the user can move in. */
export function gridWithInput(options: GridOptions): Grid {
  const grid = new Grid(options);
  listenTo(grid);
  return grid;
}

function listenTo(grid: Grid): void {
  const { canvas, head, body } = grid;
  canvas.addEventListener('keydown', (event) => {
    if (isInEditor(event)) return;
    const isDone = grid.current.row < 0 ? pressInHead(grid, event) : pressInBody(grid, event);
    if (isDone || press(grid, event)) event.preventDefault();
  });
  canvas.addEventListener('focusin', ({ target }) => {
    const row = body.rowOf(target as Element);
    const column = (row ?? head).columnOf(target as Element);
    if (column !== undefined) grid.follow(row, column);
  });
  head.element.addEventListener('click', ({ target }) => {
    const column = (target as Element).closest('.sort') && head.columnOf(target as Element);
    if (column) grid.options.onSort(nextSort(column, grid.sort));
  });
  head.element.addEventListener('dblclick', ({ target }) => {
    const column = head.columnOf(target as Element);
    const fit = async () => (await import('./fit-column.js')).fitColumn(grid, column!);
    if (column && (target as Element).matches('.resizer')) select(grid, fit());
  });
  body.element.addEventListener('click', (event) => {
    const row = body.rowOf(event.target as Element);
    if (isInEditor(event)) return;
    // A row that is not loaded cannot be selected yet.
    if (row?.entity) click(grid, row, event);
    else event.preventDefault();
  });
  listenToMenu(grid);
  body.element.addEventListener('dblclick', (event) => {
    const row = body.rowOf(event.target as Element);
    if (row && !isInEditor(event)) edit(grid, row, row.columnOf(event.target as Element));
  });
  body.element.addEventListener('mousedown', (event) => {
    if (!isInEditor(event)) pressButton(grid, event);
  });
}

function pressButton(grid: Grid, event: MouseEvent): void {
  const place = placeOf(grid, event.target as Element);
  if (event.shiftKey || (place && event.button !== 0 && isInRange(grid, place))) {
    // With the Shift key, it selects cells and no text; and a menu is of all selected cells.
    event.preventDefault();
  } else if (place && event.button === 0 && !event.ctrlKey && !event.metaKey) {
    grid.clearRange();
    const load = async () => (await import('./range-input.js')).followDrag(grid, place);
    select(grid, load());
  }
}

function listenToMenu(grid: Grid): void {
  const { body, options } = grid;
  body.element.addEventListener('contextmenu', (event) => {
    const row = body.rowOf(event.target as Element);
    const name = row?.columnOf(event.target as Element);
    if (!row?.entity || !name || name === SELECT_COLUMN || isInEditor(event)) return;
    event.preventDefault();
    const element = row.cell(name)!;
    const { left, bottom } = element.getBoundingClientRect();
    // A key opens it without a place.
    const isPointed = event.clientX > 0 || event.clientY > 0;
    const point = isPointed ? { x: event.clientX, y: event.clientY } : { x: left, y: bottom };
    const isOfMany = isInRange(grid, placeOf(grid, event.target as Element)!);
    if (!isOfMany) row.target(name)?.focus({ preventScroll: true });
    options.onMenu({ entity: row.entity, name, element }, point);
  });
}

function isInEditor({ target }: Event): boolean {
  return (target as Element).closest('.editing form') !== null;
}

/** For work that may have to read keys. */
function select(grid: Grid, work: Promise<void>): void {
  work.catch(grid.options.onTrouble);
}

function press(grid: Grid, event: KeyboardEvent): boolean {
  if (event.altKey || event.shiftKey) return false;
  const place = moveOf(event, grid.current, grid.size);
  if (place) grid.moveTo(place);
  return place !== undefined;
}

function pressInHead(grid: Grid, { key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  const column = grid.currentColumn;
  const by = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[key];
  if (!shiftKey || by === undefined || column === SELECT_COLUMN) return false;
  if (ctrlKey || metaKey) {
    grid.layout.step(column, by);
  } else {
    const width = grid.head.cell(column)!.offsetWidth;
    grid.layout.setWidth(column, width + by * WIDTH_STEP);
  }
  grid.moveTo(grid.current);
  return true;
}

function pressInBody(grid: Grid, event: KeyboardEvent): boolean {
  return pressToSelect(grid, event) || pressToChange(grid, event);
}

function pressToSelect(grid: Grid, event: KeyboardEvent): boolean {
  const { selector, currentEntity: entity, currentColumn } = grid;
  const { key, shiftKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  const { row } = grid.current;
  const place = shiftKey && !event.altKey ? moveOf(event, grid.current, grid.size) : undefined;
  if (place && currentColumn !== SELECT_COLUMN) {
    grid.extendTo(place);
  } else if (place && place.row !== row) {
    if (entity && !selector.selection.has(entity)) selector.begin(row);
    const next = Math.max(place.row, 0);
    grid.moveTo({ ...grid.current, row: next });
    select(grid, selector.extendTo(next));
  } else if (key === ' ' && shiftKey) {
    select(grid, selector.extendTo(row));
  } else if (key === ' ' && isCommand && entity) {
    select(grid, selector.toggle(row, entity));
  } else if (key === 'a' && isCommand) {
    selector.selection.selectAll();
  } else if (key === 'Escape' && (grid.hasRange || selector.selection.isAny)) {
    grid.clearRange();
    selector.selection.clear();
  } else {
    return false;
  }
  return true;
}

function pressToChange(grid: Grid, event: KeyboardEvent): boolean {
  const { options, currentColumn } = grid;
  const { key, shiftKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  const shown = grid.body.at(grid.current.row);
  if (key === 'c' && isCommand && !shiftKey) {
    // What is marked in the text is copied by the browser.
    if (!getSelection()?.isCollapsed) return false;
    options.onCopy();
  } else if (key === 'd' && isCommand && !shiftKey) {
    options.onFill();
  } else if (key === 'Delete') {
    options.onDelete();
  } else if (key === 'F2' || (key === 'Enter' && !shiftKey && isProperty(currentColumn))) {
    edit(grid, shown, currentColumn);
  } else if (isTyped(event) && isProperty(currentColumn)) {
    edit(grid, shown, currentColumn, key);
  } else {
    return false;
  }
  return true;
}

function click(grid: Grid, shown: GridRow, event: MouseEvent): void {
  const { selector } = grid;
  const { row } = shown;
  const entity = shown.entity!;
  const target = event.target as HTMLElement;
  if (event.shiftKey) {
    if (target.closest('.select')) select(grid, selector.extendTo(row));
    else grid.extendTo(placeOf(grid, target)!);
  } else if (target instanceof HTMLInputElement) {
    select(grid, selector.set(row, entity, target.checked));
  } else if (event.ctrlKey || event.metaKey) select(grid, selector.toggle(row, entity));
  else if (target.closest('.row-key')) grid.options.onOpen(entity);
}

// A character, and no space, which selects.
function isTyped({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return [...key].length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
}

function edit(grid: Grid, row: GridRow | undefined, column?: string, typed?: string): void {
  const entity = row?.entity;
  if (!entity || column === undefined || !isProperty(column)) return;
  grid.options.onEdit({ entity, name: column, element: row.cell(column)!, typed });
}
