/**
 * The columns of a grid: their order, their widths, and which ones are hidden. What the user has
 * changed is remembered for each table.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import { displayValue } from '../display.js';
import type { TypedEntity } from '../typed-entity.js';

export interface GridColumn {
  /** As in the API: `partitionKey`, `rowKey`, `timestamp`, or the name of a property. */
  readonly name: string;
  /** As in a filter: `PartitionKey`. */
  readonly title: string;
  /** The types that values had so far. More than one, if entities differ. */
  readonly types: ReadonlySet<EdmTypes>;
  /** In pixels. */
  readonly width: number;
}

/** What the user has changed. */
interface SavedLayout {
  order: string[];
  widths: Record<string, number>;
  hidden: string[];
}

const KEYS = [
  { name: 'partitionKey', title: 'PartitionKey' },
  { name: 'rowKey', title: 'RowKey' },
] as const;
const TIMESTAMP = { name: 'timestamp', title: 'Timestamp' } as const;

/** In pixels. */
const LEAST_WIDTH = 48;
const MOST_WIDTH = 1200;

// Of a column that the user has not changed: about 8 pixels for each character, and the padding.
const CHARACTER_WIDTH = 7.8;
const PADDING = 30;
const SORT_MARK = '  ';
const GREATEST_FIRST_WIDTH = 280;
const FIRST_WIDTHS = { partitionKey: 136, rowKey: 184, timestamp: 210 } as const;

export class ColumnLayout {
  /** Called when the user has changed something. */
  onChange = () => {};

  #table = '';
  #first: readonly string[] = [];
  #saved = emptyLayout();
  // The properties that were seen, in the order of the table: their types and first widths.
  #properties = new Map<string, { types: Set<EdmTypes>; width: number }>();

  /** Begins anew: with no properties, and with what the user has changed before. */
  open(table: string, first: readonly string[]): void {
    this.#table = table;
    this.#first = first;
    this.#saved = read(table);
    this.#properties.clear();
  }

  /** Adds the properties of entities. Returns false if all of them were known. */
  add(entities: readonly TypedEntity[]): boolean {
    const isFirst = this.#properties.size === 0;
    let isNew = false;
    for (const { properties } of entities) {
      for (const [name, value] of properties) {
        let known = this.#properties.get(name);
        if (!known) {
          known = { types: new Set(), width: firstWidth(name + SORT_MARK) };
          this.#properties.set(name, known);
          isNew = true;
        }
        if (!known.types.has(value.type)) {
          known.types.add(value.type);
          isNew = true;
        }
        // Later rows change no width, so that nothing moves while the user scrolls.
        if (isFirst) known.width = Math.max(known.width, firstWidth(displayValue(value)));
      }
    }
    if (isFirst && isNew) this.#sortFirst();
    return isNew;
  }

  /** All columns in their order, also hidden ones. */
  get all(): GridColumn[] {
    const own = Array.from(this.#properties, ([name, rest]) => ({ name, title: name, ...rest }));
    const key = (column: (typeof KEYS)[number] | typeof TIMESTAMP, type: EdmTypes) => ({
      ...column,
      types: new Set([type]),
      width: FIRST_WIDTHS[column.name],
    });
    const columns = [
      ...KEYS.map((it) => key(it, 'String')),
      ...own,
      key(TIMESTAMP, 'DateTime'),
    ].map((column) => ({ ...column, width: this.#saved.widths[column.name] ?? column.width }));
    return inOrder(columns, this.#saved.order);
  }

  /** The columns to show. The row key is always there: it opens the entity. */
  get shown(): GridColumn[] {
    return this.all.filter(({ name }) => !this.isHidden(name));
  }

  isHidden(name: string): boolean {
    return name !== 'rowKey' && this.#saved.hidden.includes(name);
  }

  setHidden(name: string, isHidden: boolean): void {
    const others = this.#saved.hidden.filter((one) => one !== name);
    this.#change({ hidden: isHidden ? [...others, name] : others });
  }

  /** @param width - in pixels. */
  setWidth(name: string, width: number): void {
    const inRange = Math.round(Math.min(Math.max(width, LEAST_WIDTH), MOST_WIDTH));
    this.#change({ widths: { ...this.#saved.widths, [name]: inRange } });
  }

  /** Moves a column to the place of another one. */
  move(name: string, to: string): void {
    const order = this.all.map((column) => column.name);
    const place = order.indexOf(to);
    order.splice(order.indexOf(name), 1);
    order.splice(place, 0, name);
    this.#change({ order });
  }

  /** Moves a column by one of the shown columns. Returns false at the end. */
  step(name: string, by: -1 | 1): boolean {
    const shown = this.shown;
    const next = shown[shown.findIndex((column) => column.name === name) + by];
    if (next) this.move(name, next.name);
    return next !== undefined;
  }

  reset(): void {
    this.#change(emptyLayout());
  }

  #change(change: Partial<SavedLayout>): void {
    this.#saved = { ...this.#saved, ...change };
    write(this.#table, this.#saved);
    this.onChange();
  }

  #sortFirst(): void {
    const found = this.#properties;
    const known = this.#first.filter((name) => found.has(name));
    const names = [...known, ...Array.from(found.keys()).filter((name) => !known.includes(name))];
    this.#properties = new Map(names.map((name) => [name, found.get(name)!]));
  }
}

// A column that the saved order does not know comes behind the one before it.
function inOrder(columns: readonly GridColumn[], order: readonly string[]): GridColumn[] {
  const saved = order.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  columns.forEach((column, at) => {
    if (saved.includes(column)) return;
    saved.splice(saved.indexOf(columns[at - 1]!) + 1, 0, column);
  });
  return saved;
}

function firstWidth(text: string): number {
  return Math.min(Math.round(text.length * CHARACTER_WIDTH + PADDING), GREATEST_FIRST_WIDTH);
}

function emptyLayout(): SavedLayout {
  return { order: [], widths: {}, hidden: [] };
}

const keyOf = (table: string) => `entitable-explorer/columns/${table}`;

// A browser may refuse localStorage. Then the layout lasts as long as the table is shown.
function read(table: string): SavedLayout {
  try {
    const saved = JSON.parse(localStorage.getItem(keyOf(table)) ?? '{}') as Partial<SavedLayout>;
    return { ...emptyLayout(), ...saved };
  } catch {
    return emptyLayout();
  }
}

function write(table: string, layout: SavedLayout): void {
  try {
    localStorage.setItem(keyOf(table), JSON.stringify(layout));
  } catch {
    // As in read().
  }
}
