/**
 * A page of entities as a table: a column for each property, with its type.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import { columnsOf, type Column } from '../columns.js';
import { displayTime, displayValue, isNumeric } from '../display.js';
import type { Sort } from '../entity-query.js';
import type { EntityKeys } from '../page-changes.js';
import type { TypedEntity } from '../typed-entity.js';
import { byId, make, makeButton } from './dom.js';

export interface GridOptions {
  onOpen(entity: TypedEntity): void;
  /** Called when the user wants another order; undefined for that of the keys. */
  onSort(sort: Sort | undefined): void;
}

/** What the grid shows beside the entities. */
export interface GridView {
  readonly caption: string;
  /** The first columns. Other columns follow in the order of the entities. */
  readonly order: readonly string[];
  readonly sort: Sort | undefined;
}

export class Grid {
  readonly #region = byId('grid', HTMLElement);
  readonly #options: GridOptions;
  readonly #openers = new Map<string, HTMLButtonElement>();

  constructor(options: GridOptions) {
    this.#options = options;
  }

  show(entities: readonly TypedEntity[], { caption, order, sort }: GridView): void {
    const columns = columnsOf(entities, order);
    const { scrollLeft } = this.#region;
    const focused = this.#region.querySelector<HTMLElement>('.sort:focus')?.dataset['name'];
    this.#openers.clear();
    this.#region.replaceChildren(
      make(
        'table',
        {},
        make('caption', { class: 'visually-hidden' }, caption),
        make('thead', {}, headRow(columns, sort, this.#options.onSort)),
        make('tbody', {}, ...entities.map((entity) => this.#row(entity, columns))),
      ),
    );
    this.#region.scrollTo(focused === undefined ? 0 : scrollLeft, 0);
    if (focused === undefined) return;
    const again = [...this.#region.querySelectorAll<HTMLElement>('.sort')];
    again.find(({ dataset }) => dataset['name'] === focused)?.focus({ preventScroll: true });
  }

  /**
   * Shows the current state of the same page. Visible rows and the focus stay where they are.
   * Changed entities are highlighted for a while.
   */
  update(entities: readonly TypedEntity[], view: GridView, changed: readonly EntityKeys[]): void {
    const { scrollLeft, scrollTop } = this.#region;
    const rows = Array.from(this.#openers.keys(), (id) => ({
      id,
      top: this.#rowOf(id)!.offsetTop,
    }));
    const focused = rows.find(({ id }) => this.#openers.get(id) === document.activeElement);
    // The focused row stays where it is, or else the first visible row. At its beginning, a page
    // shows new rows.
    const inSight = scrollTop > 0 ? rows.find(({ top }) => top >= scrollTop) : undefined;
    const anchor = focused ?? inSight;
    const place = anchor && this.#rowOf(anchor.id)!.getBoundingClientRect().top;
    this.show(entities, view);
    const moved = anchor && (this.#rowOf(anchor.id)?.offsetTop ?? anchor.top) - anchor.top;
    this.#region.scrollTo(scrollLeft, scrollTop + (moved ?? 0));
    // If the table has room for all its rows, the page scrolls instead.
    const row = anchor && this.#rowOf(anchor.id);
    if (row) window.scrollBy(0, row.getBoundingClientRect().top - place!);
    if (focused) this.#openers.get(focused.id)?.focus({ preventScroll: true });
    for (const keys of changed) this.#rowOf(idOf(keys))?.classList.add('changed');
  }

  /** Shows a text instead of entities. */
  showText(text: string): void {
    this.#openers.clear();
    this.#region.replaceChildren(make('p', { class: 'nothing' }, text));
  }

  /** Moves the focus to an entity. Returns false if it is not on this page. */
  focus(key: EntityKeys): boolean {
    const opener = this.#openers.get(idOf(key));
    opener?.focus();
    return opener !== undefined;
  }

  #rowOf(id: string): HTMLTableRowElement | null | undefined {
    return this.#openers.get(id)?.closest('tr');
  }

  #row(entity: TypedEntity, columns: readonly Column[]): HTMLTableRowElement {
    const opener = makeButton(
      { class: 'row-key', 'aria-label': `Edit ${entity.rowKey}`, title: entity.rowKey },
      () => this.#options.onOpen(entity),
      entity.rowKey || '(empty key)',
    );
    this.#openers.set(idOf(entity), opener);
    return make(
      'tr',
      {},
      make('td', { class: 'key' }, entity.partitionKey),
      make('th', { scope: 'row', class: 'key' }, opener),
      ...columns.map((column) => cell(entity, column)),
      make('td', { class: 'time' }, displayTime(entity.timestamp)),
    );
  }
}

function headRow(
  columns: readonly Column[],
  sort: Sort | undefined,
  onSort: GridOptions['onSort'],
): HTMLTableRowElement {
  const head = (text: string, name: string, types: Iterable<EdmTypes>, className: string) =>
    make(
      'th',
      { scope: 'col', class: className, 'aria-sort': ariaSort(name, sort) },
      makeButton(
        { class: 'sort', 'data-name': name, title: `Sort by ${text}` },
        () => onSort(nextSort(name, sort)),
        text,
      ),
      ...Array.from(types, typeBadge),
    );
  return make(
    'tr',
    {},
    head('PartitionKey', 'partitionKey', ['String'], 'key'),
    head('RowKey', 'rowKey', ['String'], 'key'),
    ...columns.map(({ name, types }) =>
      head(name, name, types, Array.from(types).every(isNumeric) ? 'number' : ''),
    ),
    head('Timestamp', 'timestamp', ['DateTime'], 'time'),
  );
}

function ariaSort(name: string, sort: Sort | undefined): string {
  if (name !== sort?.name) return 'none';
  return sort.isDescending ? 'descending' : 'ascending';
}

// A third click brings back the order of the keys.
function nextSort(name: string, sort: Sort | undefined): Sort | undefined {
  if (name !== sort?.name) return { name, isDescending: false };
  return sort.isDescending ? undefined : { name, isDescending: true };
}

function typeBadge(type: EdmTypes): HTMLElement {
  return make('span', { class: `type type-${type.toLowerCase()}` }, type);
}

function cell({ properties }: TypedEntity, { name }: Column): HTMLTableCellElement {
  const property = properties.get(name);
  // The entity has no such property, which differs from an empty one.
  if (!property) return make('td', { class: 'absent' });
  const text = displayValue(property);
  const { type } = property;
  return make('td', { class: isNumeric(type) ? 'number' : `as-${type.toLowerCase()}` }, text);
}

// Keys have no control characters, so different pairs have different ids.
function idOf({ partitionKey, rowKey }: EntityKeys): string {
  return `${partitionKey}\n${rowKey}`;
}
