/**
 * The header of the grid: the names of the columns, their types, and the order.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import { isNumeric } from '../display.js';
import type { Sort } from '../rows/row-query.js';
import { make } from '../ui/dom.js';
import type { GridColumn } from './column-layout.js';
import { SELECT_COLUMN } from './grid-row.js';

export class GridHead {
  readonly element = make('div', { role: 'row', class: 'grid-head', 'aria-rowindex': '1' });
  readonly #all = make('input', {
    type: 'checkbox',
    tabindex: '-1',
    'aria-label': 'Select all that match',
  });
  readonly #cells = new Map<string, HTMLElement>();
  // What it shows, to leave it alone while a width changes.
  #content = '';
  readonly #onAll: (isSelected: boolean) => void;

  constructor(onAll: (isSelected: boolean) => void) {
    this.#onAll = onAll;
    this.#all.addEventListener('change', () => this.#onAll(this.#all.checked));
  }

  show(columns: readonly GridColumn[], sort: Sort | undefined): void {
    const content = JSON.stringify([columns.map(({ name, types }) => [name, ...types]), sort]);
    if (content === this.#content) return;
    this.#content = content;
    const focused = this.element.querySelector<HTMLElement>(':focus');
    const column = focused ? this.columnOf(focused) : undefined;
    this.#cells.clear();
    const select = make(
      'div',
      { role: 'columnheader', class: 'cell select', 'aria-colindex': '1' },
      this.#all,
    );
    this.#cells.set(SELECT_COLUMN, select);
    this.element.replaceChildren(select, ...columns.map((it, at) => this.#cell(it, at + 2, sort)));
    if (column !== undefined) this.target(column)?.focus({ preventScroll: true });
  }

  showSelection(selected: 'none' | 'some' | 'all'): void {
    this.#all.checked = selected === 'all';
    this.#all.indeterminate = selected === 'some';
  }

  columnOf(element: Element): string | undefined {
    for (const [name, cell] of this.#cells) if (cell.contains(element)) return name;
    return undefined;
  }

  cell(name: string): HTMLElement | undefined {
    return this.#cells.get(name);
  }

  target(name: string): HTMLElement | undefined {
    return this.#cells.get(name)?.querySelector<HTMLElement>('button, input') ?? undefined;
  }

  #cell({ name, title, types }: GridColumn, at: number, sort: Sort | undefined): HTMLElement {
    const isNumber = types.size > 0 && Array.from(types).every(isNumeric);
    const kind = name === 'rowKey' ? ' sticky' : '';
    const cell = make(
      'div',
      {
        role: 'columnheader',
        class: `cell${isNumber ? ' number' : kind}`,
        'aria-colindex': String(at),
        'aria-sort': ariaSort(name, sort),
      },
      make(
        'button',
        { type: 'button', class: 'sort', tabindex: '-1', title: `Sort by ${title}` },
        title,
      ),
      make('span', { class: 'types' }, ...Array.from(types, typeBadge)),
      make('span', { class: 'resizer', 'aria-hidden': 'true' }),
    );
    this.#cells.set(name, cell);
    return cell;
  }
}

function ariaSort(name: string, sort: Sort | undefined): string {
  if (name !== sort?.name) return 'none';
  return sort.isDescending ? 'descending' : 'ascending';
}

/** The order after a click on a column. A third click brings back the order of the keys. */
export function nextSort(name: string, sort: Sort | undefined): Sort | undefined {
  if (name !== sort?.name) return { name, isDescending: false };
  return sort.isDescending ? undefined : { name, isDescending: true };
}

function typeBadge(type: EdmTypes): HTMLElement {
  return make('span', { class: `type type-${type.toLowerCase()}` }, type);
}
