/**
 * What the user does in the grid with keys and clicks.
 *
 * @module
 */

import { Grid } from './grid.js';
import { nextSort } from './grid-head.js';
import { moveOf } from './grid-keys.js';
import type { GridOptions } from './grid-options.js';
import { SELECT_COLUMN, type GridRow } from './grid-row.js';

// In pixels, for one press of a key.
const WIDTH_STEP = 16;
const CELL_PADDING = 30;

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
    if (column && (target as Element).matches('.resizer')) fit(grid, column);
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
  // A click with the Shift key selects rows, no text.
  body.element.addEventListener('mousedown', (event) => {
    if (event.shiftKey && !isInEditor(event)) event.preventDefault();
  });
}

function listenToMenu({ body, options }: Grid): void {
  body.element.addEventListener('contextmenu', (event) => {
    const row = body.rowOf(event.target as Element);
    const name = row?.columnOf(event.target as Element);
    if (!row?.entity || !name || name === SELECT_COLUMN || isInEditor(event)) return;
    event.preventDefault();
    const element = row.cell(name)!;
    const { left, bottom } = element.getBoundingClientRect();
    // A key opens it without a place.
    const isPointed = event.clientX > 0 || event.clientY > 0;
    const place = isPointed ? { x: event.clientX, y: event.clientY } : { x: left, y: bottom };
    row.target(name)?.focus({ preventScroll: true });
    options.onMenu({ entity: row.entity, name, element }, place);
  });
}

/** Makes a column as wide as its name and its values on the screen. */
function fit(grid: Grid, column: string): void {
  const range = document.createRange();
  const cells = [grid.head, ...grid.body.all].flatMap((row) => row.cell(column) ?? []);
  const widths = cells.map((cell) => {
    range.selectNodeContents(cell.querySelector('.sort, .row-key') ?? cell);
    return range.getBoundingClientRect().width;
  });
  grid.layout.setWidth(column, Math.max(...widths) + CELL_PADDING);
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
  const { selector, options } = grid;
  const { key, shiftKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  const { row } = grid.current;
  const entity = grid.currentEntity;
  const by = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (shiftKey && by !== undefined) {
    if (entity && !selector.selection.has(entity)) selector.begin(row);
    const next = Math.min(Math.max(row + by, 0), grid.size.rows - 1);
    grid.moveTo({ ...grid.current, row: next });
    select(grid, selector.extendTo(next));
  } else if (key === ' ' && shiftKey) {
    select(grid, selector.extendTo(row));
  } else if (key === ' ' && isCommand && entity) {
    select(grid, selector.toggle(row, entity));
  } else if (key === 'a' && isCommand) {
    selector.selection.selectAll();
  } else if (key === 'Escape' && (selector.selection.isAll || selector.selection.size > 0)) {
    selector.selection.clear();
  } else if (key === 'c' && isCommand && !shiftKey) {
    // What is marked in the text is copied by the browser.
    if (!getSelection()?.isCollapsed) return false;
    options.onCopy();
  } else if (key === 'Delete') {
    options.onDelete();
  } else if (key === 'F2' || (key === 'Enter' && isProperty(grid.currentColumn))) {
    edit(grid, grid.body.at(row), grid.currentColumn);
  } else if (isTyped(event) && isProperty(grid.currentColumn)) {
    edit(grid, grid.body.at(row), grid.currentColumn, key);
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
  if (event.shiftKey) select(grid, selector.extendTo(row));
  else if (target instanceof HTMLInputElement) {
    select(grid, selector.set(row, entity, target.checked));
  } else if (event.ctrlKey || event.metaKey) select(grid, selector.toggle(row, entity));
  else if (target.closest('.row-key')) grid.options.onOpen(entity);
}

function isProperty(column: string): boolean {
  return ![SELECT_COLUMN, 'partitionKey', 'rowKey', 'timestamp'].includes(column);
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
