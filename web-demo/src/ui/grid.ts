/**
 * A page of entities as a table: a column for each property, with its type.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import { columnsOf, type Column } from '../columns.js';
import { displayTime, displayValue, isNumeric } from '../display.js';
import type { EntityKeys } from '../page-changes.js';
import type { TypedEntity } from '../typed-entity.js';
import { byId, make, makeButton } from './dom.js';

export class Grid {
  readonly #region = byId('grid', HTMLElement);
  readonly #onOpen: (entity: TypedEntity) => void;
  readonly #openers = new Map<string, HTMLButtonElement>();

  constructor(onOpen: (entity: TypedEntity) => void) {
    this.#onOpen = onOpen;
  }

  /** @param order - the first columns. Other columns follow in the order of the entities. */
  show(entities: readonly TypedEntity[], caption: string, order: readonly string[]): void {
    const columns = columnsOf(entities, order);
    this.#openers.clear();
    this.#region.replaceChildren(
      make(
        'table',
        {},
        make('caption', { class: 'visually-hidden' }, caption),
        make('thead', {}, headRow(columns)),
        make('tbody', {}, ...entities.map((entity) => this.#row(entity, columns))),
      ),
    );
    this.#region.scrollTo(0, 0);
  }

  /**
   * Shows the current state of the same page. Visible rows and the focus stay where they are.
   * Changed entities are highlighted for a while.
   */
  update(
    entities: readonly TypedEntity[],
    caption: string,
    order: readonly string[],
    changed: readonly EntityKeys[],
  ): void {
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
    this.show(entities, caption, order);
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
      () => this.#onOpen(entity),
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

function headRow(columns: readonly Column[]): HTMLTableRowElement {
  const keys = ['PartitionKey', 'RowKey'].map((name) =>
    make('th', { scope: 'col', class: 'key' }, name, typeBadge('String')),
  );
  return make(
    'tr',
    {},
    ...keys,
    ...columns.map(({ name, types }) => {
      const badges = Array.from(types, typeBadge);
      const className = Array.from(types).every(isNumeric) ? 'number' : '';
      return make('th', { scope: 'col', class: className }, name, ...badges);
    }),
    make('th', { scope: 'col', class: 'time' }, 'Timestamp', typeBadge('DateTime')),
  );
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
