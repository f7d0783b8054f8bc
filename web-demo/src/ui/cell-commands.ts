/**
 * What can be done with a cell, and the rows that are selected with it: copy, filter, sort, delete.
 * It is loaded with the first copy, or the first menu.
 *
 * @module
 */

import { counted, displayCount } from '../display.js';
import { literalOf } from '../filter-completion.js';
import type { Grid } from '../grid/grid.js';
import type { GridCell, GridPoint } from '../grid/grid-options.js';
import { idOf, type Sort } from '../rows/row-query.js';
import type { Rows } from '../rows/rows.js';
import { readTypedEntity, type TypedEntity, type TypedValue } from '../typed-entity.js';
import { copyText } from './clipboard.js';
import { byId, make, makeButton } from './dom.js';
import { begin } from './notice.js';

// More belong into a file.
const MOST_TO_COPY = 10_000;

const TITLES: Readonly<Record<string, string>> = {
  partitionKey: 'PartitionKey',
  rowKey: 'RowKey',
  timestamp: 'Timestamp',
};

export interface CellCommandsOptions {
  readonly grid: Grid;
  rows(): Rows | undefined;
  onEdit(cell: GridCell): void;
  onFilter(filter: string): void;
  onSort(sort: Sort): void;
  /** Deletes the selected rows, after a question. */
  onDelete(): void;
}

export class CellCommands {
  readonly #options: CellCommandsOptions;
  readonly #menu = make('div', {
    ...{ class: 'menu', popover: true, role: 'group', 'aria-label': 'Cell' },
  });

  constructor(options: CellCommandsOptions) {
    this.#options = options;
    byId('more-menu', HTMLElement).after(this.#menu);
    // The keys of a menu.
    this.#menu.addEventListener('keydown', (event) => {
      const by = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key];
      if (by === undefined) return;
      event.preventDefault();
      const items = [...this.#menu.querySelectorAll<HTMLElement>('button:enabled')];
      const at = items.findIndex((item) => item.matches(':focus'));
      items.at((at + by) % items.length)?.focus();
    });
  }

  /** Copies the selected rows, or else the value of the current cell. */
  async copy(): Promise<void> {
    const { grid } = this.#options;
    const { currentEntity: entity, currentColumn: name } = grid;
    if (this.#isSelected) return this.#copyRows(tabbed);
    if (entity) await copyText(valueOf(entity, name)?.value ?? '', 'The value');
  }

  /** Opens the menu of a cell. */
  open({ entity, name, element }: GridCell, { x, y }: GridPoint): void {
    const { style } = this.#menu;
    this.#menu.replaceChildren(...this.#items({ entity, name, element }));
    this.#menu.showPopover();
    const { offsetWidth, offsetHeight } = this.#menu;
    style.left = `${Math.max(0, Math.min(x, innerWidth - offsetWidth - 8))}px`;
    style.top = `${Math.max(0, Math.min(y, innerHeight - offsetHeight - 8))}px`;
    this.#menu.querySelector('button')?.focus();
  }

  get #isSelected(): boolean {
    const { selection } = this.#options.grid.selector;
    return selection.isAll || selection.size > 0;
  }

  #items(cell: GridCell): HTMLElement[] {
    const { onEdit, onSort } = this.#options;
    const { entity, name } = cell;
    const value = valueOf(entity, name);
    const rows = this.#rowsText(entity);
    const isProperty = !(name in TITLES);
    return [
      this.#item('Copy', () => begin(() => copyText(value?.value ?? '', 'The value'))),
      this.#item(`Copy ${rows}`, () => this.#withRow(entity, tabbed)),
      this.#item(`Copy ${rows} as JSON`, () => this.#withRow(entity, asJson)),
      make('hr'),
      ...(isProperty ? [this.#item('Edit', () => onEdit(cell))] : []),
      ...(value && value.value.length < 256 ? this.#filters(name, value) : []),
      this.#item('Sort ascending', () => onSort({ name, isDescending: false })),
      this.#item('Sort descending', () => onSort({ name, isDescending: true })),
      make('hr'),
      this.#item(`Delete ${rows}`, () => this.#delete(entity), 'danger'),
    ];
  }

  #filters(name: string, { type, value }: TypedValue): HTMLElement[] {
    const condition = (operator: string) =>
      `${TITLES[name] ?? name} ${operator} ${literalOf(type, value)}`;
    const add = (operator: string) => () => {
      const filter = this.#options.rows()?.query.filter.trim();
      const before = filter && (/ or /i.test(filter) ? `(${filter})` : filter);
      this.#options.onFilter([before, condition(operator)].filter(Boolean).join(' and '));
    };
    return [
      this.#item('Filter by this value', add('eq')),
      this.#item('Exclude this value', add('ne')),
    ];
  }

  #item(text: string, work: () => void, kind = ''): HTMLButtonElement {
    return makeButton(
      { class: kind },
      () => {
        this.#menu.hidePopover();
        work();
      },
      text,
    );
  }

  #rowsText(entity: TypedEntity): string {
    const { selection } = this.#options.grid.selector;
    if (!selection.has(entity)) return 'row';
    return selection.isAll ? 'all that match' : `${counted(selection.size, 'rows')}`;
  }

  #withRow(entity: TypedEntity, form: Form): void {
    const isOfMany = this.#options.grid.selector.selection.has(entity);
    begin(() => (isOfMany ? this.#copyRows(form) : this.#copyEntities([entity], form)));
  }

  #delete(entity: TypedEntity): void {
    const { selection } = this.#options.grid.selector;
    if (!selection.has(entity)) selection.replace([entity]);
    this.#options.onDelete();
  }

  async #copyRows(form: Form): Promise<void> {
    const rows = this.#options.rows()!;
    const { selection } = this.#options.grid.selector;
    const count = selection.isAll ? rows.total : selection.size;
    if (count > MOST_TO_COPY) {
      throw new Error(`More than ${displayCount(MOST_TO_COPY)} rows are for a file: use Export.`);
    }
    const keys = selection.isAll
      ? await rows.keys({ first: 0, last: rows.total - 1 })
      : selection.keys;
    const loaded = new Map(rows.loaded.map((entity) => [idOf(entity), entity]));
    const entities: TypedEntity[] = [];
    for (const one of keys) {
      entities.push(loaded.get(idOf(one)) ?? (await readTypedEntity(rows.table, one)));
    }
    await this.#copyEntities(entities, form);
  }

  async #copyEntities(entities: readonly TypedEntity[], form: Form): Promise<void> {
    const names = this.#options.grid.layout.shown.map(({ name }) => name);
    const subject = entities.length === 1 ? 'The row' : counted(entities.length, 'rows');
    await copyText(form(entities, names), subject);
  }
}

type Form = (entities: readonly TypedEntity[], names: readonly string[]) => string;

function valueOf(entity: TypedEntity, name: string): TypedValue | undefined {
  if (name === 'timestamp') return { type: 'DateTime', value: entity.timestamp };
  if (name === 'partitionKey' || name === 'rowKey') return { type: 'String', value: entity[name] };
  return entity.properties.get(name);
}

/** As spreadsheets take it: a value with a tab, a line break or a quote is in quotes. */
function tabbed(entities: readonly TypedEntity[], names: readonly string[]): string {
  const cellOf = (text: string) =>
    /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = entities.map((entity) =>
    names.map((name) => cellOf(valueOf(entity, name)?.value ?? '')).join('\t'),
  );
  return lines.join('\n');
}

/** With all properties. What JSON has no value for is a text, and an Int64 keeps its digits so. */
function asJson(entities: readonly TypedEntity[]): string {
  const valueIn = ({ type, value }: TypedValue) => {
    const isNumber = type === 'Int32' || (type === 'Double' && Number.isFinite(Number(value)));
    if (isNumber) return Number(value);
    return type === 'Boolean' ? value === 'true' : value;
  };
  const rows = entities.map(({ partitionKey, rowKey, properties }) => ({
    ...{ PartitionKey: partitionKey, RowKey: rowKey },
    ...Object.fromEntries(Array.from(properties, ([name, value]) => [name, valueIn(value)])),
  }));
  return JSON.stringify(rows, null, 2);
}
