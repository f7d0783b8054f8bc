/**
 * The columns of a grid: their order, their widths, and which ones are hidden. What the user has
 * changed is remembered for each table.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import { displayValue, isNumeric } from '../display.js';
import { readSaved, writeSaved } from '../saved.js';
import type { PropertyTypes } from '../table-properties.js';
import type { TypedEntity, TypedValue } from '../typed-entity.js';

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

/** What is known of a property. Both widths only grow, because a cut number is another number. */
interface Property {
  readonly types: Set<EdmTypes>;
  width: number;
  /** What its numbers need, which the user cannot go below. */
  least: number;
}

/** What the user has changed, and the properties in the order of the file that was imported. */
interface SavedLayout {
  order: string[];
  widths: Record<string, number>;
  hidden: string[];
  first: string[];
}

const KEYS = [
  { name: 'partitionKey', title: 'PartitionKey' },
  { name: 'rowKey', title: 'RowKey' },
] as const;
const TIMESTAMP = { name: 'timestamp', title: 'Timestamp' } as const;

/** In pixels. */
const LEAST_WIDTH = 48;
const MOST_WIDTH = 1200;

// Of a column that the user has not changed, in pixels.
const PADDING = 30;
const SORT_MARK = '  ';
const GREATEST_TEXT_WIDTH = 280;
const KEY_WIDTHS = { partitionKey: 136, rowKey: 184, timestamp: 210 } as const;

export class ColumnLayout {
  /** Called when the columns are others. */
  onChange = () => {};
  /** Called when the user shows other columns, or moves one. */
  onArrange = () => {};

  #table = '';
  #first: readonly string[] = [];
  #saved = emptyLayout();
  // The properties that were seen, in the order of the table, and the entities that have them.
  readonly #properties = new Map<string, Property>();
  #seen = new WeakSet<TypedEntity>();
  // Those to show, until the user changes them.
  #arranged: readonly string[] | undefined;

  /** In pixels. The grid measures its font. */
  characterWidth = 0;

  /**
   * Begins anew: with no properties, and with what the user has changed before.
   *
   * @param arranged - the columns to show instead, in their order.
   */
  open(table: string, first: readonly string[], arranged?: readonly string[]): void {
    this.#table = table;
    this.#saved = read(table);
    this.#arranged = arranged;
    this.#first = [...this.#saved.first, ...first];
    this.#properties.clear();
    this.#seen = new WeakSet();
  }

  /** Adds the properties of entities. Returns false if the columns stay as they are. */
  add(entities: readonly TypedEntity[]): boolean {
    let isNew = false;
    for (const entity of entities) {
      if (this.#seen.has(entity)) continue;
      this.#seen.add(entity);
      for (const [name, value] of entity.properties) isNew = this.#addValue(name, value) || isNew;
    }
    return isNew;
  }

  /** Adds properties that entities have which are not loaded. */
  addTypes(properties: PropertyTypes): void {
    let isNew = false;
    for (const [name, types] of properties) {
      isNew ||= !this.#properties.has(name);
      const known = this.#property(name);
      for (const type of types) this.#addType(known, type);
    }
    if (isNew) this.onChange();
  }

  #property(name: string): Property {
    let known = this.#properties.get(name);
    if (!known) {
      const width = Math.min(this.#widthOf(name + SORT_MARK), GREATEST_TEXT_WIDTH);
      known = { types: new Set(), width, least: 0 };
      this.#properties.set(name, known);
    }
    return known;
  }

  #addValue(name: string, value: TypedValue): boolean {
    const known = this.#property(name);
    const isNew = !known.types.has(value.type);
    this.#addType(known, value.type);
    const { width, least } = known;
    const needed = this.#widthOf(displayValue(value));
    if (isNumeric(value.type)) known.least = Math.max(least, needed);
    known.width = Math.max(width, known.least, Math.min(needed, GREATEST_TEXT_WIDTH));
    return isNew || known.width > width || known.least > least;
  }

  // The header names each of them.
  #addType(known: Property, type: EdmTypes): void {
    if (known.types.has(type)) return;
    known.types.add(type);
    known.width = Math.max(known.width, this.#widthOf([...known.types].join(' ')));
  }

  #widthOf(text: string): number {
    return Math.round(text.length * this.characterWidth + PADDING);
  }

  /** All columns in their order, also hidden ones. */
  get all(): GridColumn[] {
    const found = this.#properties;
    const names = new Set([...this.#first.filter((name) => found.has(name)), ...found.keys()]);
    const own = Array.from(names, (name) => ({ name, title: name, ...found.get(name)! }));
    const key = (column: (typeof KEYS)[number] | typeof TIMESTAMP, type: EdmTypes) => ({
      ...column,
      types: new Set([type]),
      least: 0,
      width: KEY_WIDTHS[column.name],
    });
    const columns = [
      ...KEYS.map((it) => key(it, 'String')),
      ...own,
      key(TIMESTAMP, 'DateTime'),
    ].map(({ least, ...column }) => ({
      ...column,
      width: Math.max(this.#saved.widths[column.name] ?? column.width, least),
    }));
    return inOrder(columns, this.#arranged ?? this.#saved.order);
  }

  /** The columns to show. The row key is always there: it opens the entity. */
  get shown(): GridColumn[] {
    return this.all.filter(({ name }) => !this.isHidden(name));
  }

  isHidden(name: string): boolean {
    if (name === 'rowKey') return false;
    return this.#arranged ? !this.#arranged.includes(name) : this.#saved.hidden.includes(name);
  }

  /** The columns that are shown, if the user has chosen them. */
  get arranged(): readonly string[] | undefined {
    const { order, hidden } = this.#saved;
    if (!this.#arranged && order.length === 0 && hidden.length === 0) return undefined;
    return this.#arranged ?? this.shown.map(({ name }) => name);
  }

  // What the address has arranged becomes what the user has chosen.
  #arrange(change: Partial<SavedLayout>): void {
    const all = this.all.map(({ name }) => name);
    const kept = this.#arranged && {
      order: all,
      hidden: all.filter((name) => this.isHidden(name)),
    };
    this.#arranged = undefined;
    this.#change({ ...kept, ...change });
    this.onArrange();
  }

  setHidden(name: string, isHidden: boolean): void {
    const hidden = this.all.map((column) => column.name).filter((one) => this.isHidden(one));
    const others = (this.#arranged ? hidden : this.#saved.hidden).filter((one) => one !== name);
    this.#arrange({ hidden: isHidden ? [...others, name] : others });
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
    this.#arrange({ order });
  }

  /** Moves a column by one of the shown columns. Returns false at the end. */
  step(name: string, by: -1 | 1): boolean {
    const shown = this.shown;
    const next = shown[shown.findIndex((column) => column.name === name) + by];
    if (next) this.move(name, next.name);
    return next !== undefined;
  }

  reset(): void {
    this.#arrange({ ...emptyLayout(), first: this.#saved.first });
  }

  #change(change: Partial<SavedLayout>): void {
    this.#saved = { ...this.#saved, ...change };
    write(this.#table, this.#saved);
    this.onChange();
  }
}

/** The order of the table's properties, until the user moves columns. */
export function rememberOrder(table: string, properties: readonly string[]): void {
  const saved = read(table);
  const others = saved.first.filter((name) => !properties.includes(name));
  write(table, { ...saved, first: [...properties, ...others] });
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

function emptyLayout(): SavedLayout {
  return { order: [], widths: {}, hidden: [], first: [] };
}

const keyOf = (table: string) => `columns/${table}`;
const read = (table: string) => readSaved(keyOf(table), emptyLayout());
const write = (table: string, layout: SavedLayout) => writeSaved(keyOf(table), layout);
