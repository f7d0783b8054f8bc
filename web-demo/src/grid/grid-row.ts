/**
 * A row of the grid. It shows one entity after another, because creating elements takes longest.
 *
 * @module
 */

import { displayTime, displayValue, isNumeric } from '../display.js';
import type { TypedEntity } from '../typed-entity.js';
import { make } from '../ui/dom.js';
import type { GridColumn } from './column-layout.js';

/** The column with the checkboxes. */
export const SELECT_COLUMN = 'select';

// The header is the first row of the grid, and ARIA counts from 1.
const FIRST_ROW = 2;

/** Classes of a cell with an editor, and of its row. */
export const EDITING = 'editing';
export const HAS_EDITOR = 'has-editor';

export interface RowState {
  readonly row: number;
  /** Undefined until it is loaded. */
  readonly entity: TypedEntity | undefined;
  readonly isSelected: boolean;
  /** The columns of its selected cells. */
  readonly selected: readonly string[];
}

export class GridRow {
  readonly element = make('div', { role: 'row', class: 'grid-row' });
  readonly #checkbox = make('input', { type: 'checkbox', tabindex: '-1' });
  readonly #opener = make('button', { type: 'button', class: 'row-key', tabindex: '-1' });
  // Each cell, by the name of its column.
  #cells = new Map<string, HTMLElement>();
  #columns: readonly GridColumn[] = [];
  #entity: TypedEntity | undefined;
  #row = -1;
  #selected: readonly string[] = [];
  #top = NaN;

  get row(): number {
    return this.#row;
  }

  get entity(): TypedEntity | undefined {
    return this.#entity;
  }

  /** The column that an element belongs to. */
  columnOf(element: Element): string | undefined {
    for (const [name, cell] of this.#cells) if (cell.contains(element)) return name;
    return undefined;
  }

  cell(name: string): HTMLElement | undefined {
    return this.#cells.get(name);
  }

  /** What has the focus if the cell is the current one. */
  target(name: string): HTMLElement | undefined {
    if (name === SELECT_COLUMN) return this.#checkbox;
    return name === 'rowKey' ? this.#opener : this.#cells.get(name);
  }

  /** @param top - in pixels. */
  place(top: number): void {
    if (top === this.#top) return;
    this.#top = top;
    this.element.style.transform = `translateY(${top}px)`;
  }

  show(columns: readonly GridColumn[], state: RowState): void {
    const { row, entity, isSelected, selected } = state;
    const isNew = columns !== this.#columns;
    if (isNew) this.#build(columns);
    if (row !== this.#row) this.element.ariaRowIndex = String(row + FIRST_ROW);
    this.#row = row;
    this.#checkbox.checked = isSelected;
    this.element.ariaSelected = String(isSelected);
    if (isNew || this.#selected.length > 0 || selected.length > 0) this.#mark(selected);
    if (!isNew && entity === this.#entity) return;
    this.#entity = entity;
    this.element.classList.remove('changed');
    this.element.classList.toggle('loading', !entity);
    this.element.ariaBusy = entity ? null : 'true';
    this.#showKeys();
    for (const column of columns) this.#fill(column);
  }

  /** Whether one of its values is being changed. */
  get hasEditor(): boolean {
    return this.element.classList.contains(HAS_EDITOR);
  }

  /** Ends the change of a value. */
  dropEditor(): void {
    this.element.classList.remove(HAS_EDITOR);
    const cell = this.element.querySelector(`.${EDITING}`);
    cell?.classList.remove(EDITING);
    cell?.replaceChildren();
    this.#entity = undefined;
  }

  /** Highlights the row for a while. */
  markChanged(): void {
    this.element.classList.add('changed');
  }

  #mark(selected: readonly string[]): void {
    this.#selected = selected;
    for (const [name, cell] of this.#cells) {
      cell.ariaSelected = selected.includes(name) ? 'true' : null;
    }
  }

  #build(columns: readonly GridColumn[]): void {
    this.#columns = columns;
    const names = [SELECT_COLUMN, ...columns.map(({ name }) => name)];
    if (names.join() === [...this.#cells.keys()].join()) return;
    const focused = this.element.querySelector<HTMLElement>(':focus');
    const before = this.#cells;
    this.#cells = new Map(
      names.map((name, at) => {
        const cell = before.get(name) ?? this.#cell(name);
        cell.ariaColIndex = String(at + 1);
        return [name, cell];
      }),
    );
    this.element.replaceChildren(...this.#cells.values());
    // An element that moves loses it.
    focused?.focus({ preventScroll: true });
  }

  #cell(name: string): HTMLElement {
    if (name === SELECT_COLUMN) {
      return make('div', { role: 'gridcell', class: 'cell select' }, this.#checkbox);
    }
    if (name === 'rowKey') {
      return make('div', { role: 'rowheader', class: 'cell key sticky' }, this.#opener);
    }
    return make('div', { role: 'gridcell', tabindex: '-1' });
  }

  #showKeys(): void {
    const rowKey = this.#entity?.rowKey ?? '';
    const name = rowKey || '(empty key)';
    this.#opener.textContent = this.#entity ? name : '';
    this.#opener.title = rowKey;
    this.#opener.ariaLabel = this.#entity ? `Edit ${rowKey}` : 'Loading';
    this.#checkbox.ariaLabel = this.#entity ? `Select ${name}` : 'Loading';
  }

  #fill({ name, types }: GridColumn): void {
    const cell = this.#cells.get(name)!;
    // An editor in the cell stays, whatever others change.
    if (name === 'rowKey' || cell.classList.contains(EDITING)) return;
    const [text, className] = contentOf(this.#entity, name);
    if (cell.textContent !== text) cell.textContent = text;
    // A missing value is where a value would be.
    const isNumber = className === 'absent' && types.size > 0 && [...types].every(isNumeric);
    cell.className = `cell ${className}${isNumber ? ' number' : ''}`;
  }
}

function contentOf(entity: TypedEntity | undefined, name: string): [text: string, classes: string] {
  if (!entity) return ['', ''];
  if (name === 'partitionKey') return [entity.partitionKey, 'key'];
  if (name === 'timestamp') return [displayTime(entity.timestamp), 'time'];
  const property = entity.properties.get(name);
  // The entity has no such property, which differs from an empty one.
  if (!property) return ['', 'absent'];
  const { type } = property;
  return [displayValue(property), isNumeric(type) ? 'number' : `as-${type.toLowerCase()}`];
}
