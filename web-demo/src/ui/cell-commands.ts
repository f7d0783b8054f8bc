/**
 * What can be done with a cell, and the rows that are selected with it: copy, filter, sort, change
 * and delete. It is loaded with the first copy, or the first menu.
 *
 * @module
 */

import { copyOf } from '../copy/table-copy.js';
import { counted, displayCount } from '../display.js';
import type { Write } from '../explorer/home.js';
import { literalOf } from '../filter-completion.js';
import { isProperty, type CellRange } from '../grid/cell-range.js';
import type { GridCell, GridPoint } from '../grid/grid-options.js';
import { isInRange, placeOf } from '../grid/range-moves.js';
import { isWide, sizeText } from '../grid/range-size.js';
import { idOf, type EntityKeys } from '../rows/row-query.js';
import type { Rows } from '../rows/rows.js';
import { readTypedEntity, type TypedEntity, type TypedValue } from '../typed-entity.js';
import { copyText } from './clipboard.js';
import { byId, make, makeButton } from './dom.js';
import type { CellActions, GridActionsOptions } from './grid-actions-options.js';
import { begin } from './notice.js';
import { tabbedText } from './tabbed-text.js';

// More belong into a file.
const MOST_TO_COPY = 10_000;

const TITLES: Readonly<Record<string, string>> = {
  partitionKey: 'PartitionKey',
  rowKey: 'RowKey',
  timestamp: 'Timestamp',
};

export class CellCommands {
  readonly #options: GridActionsOptions;
  readonly #actions: CellActions;
  readonly #menu = make('div', {
    ...{ class: 'menu', popover: true, role: 'group', 'aria-label': 'Cell' },
  });

  constructor(options: GridActionsOptions, actions: CellActions) {
    this.#options = options;
    this.#actions = actions;
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

  /** Copies the selected rows or cells, or else the value of the current cell. */
  async copy(): Promise<void> {
    const { grid } = this.#options;
    const { currentEntity: entity, currentColumn: name } = grid;
    if (grid.selector.selection.isAny) return this.#copyRows(tabbed);
    if (grid.cells && isWide(grid.cells)) return this.#copyCells(grid.cells, tabbed);
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

  #items(cell: GridCell): HTMLElement[] {
    const { grid, onSort } = this.#options;
    const { entity, name, element } = cell;
    const value = valueOf(entity, name);
    const place = placeOf(grid, element);
    const range = place && isInRange(grid, place) ? grid.cells : undefined;
    const groups = [
      range ? this.#copiesOf(range) : this.#copies(cell),
      range ? this.#changesOf() : this.#changes(cell),
      range
        ? []
        : [
            ...(value && value.value.length < 256 ? this.#filters(name, value) : []),
            this.#item('Sort ascending', () => onSort({ name, isDescending: false })),
            this.#item('Sort descending', () => onSort({ name, isDescending: true })),
          ],
      this.#rowItems(entity),
    ];
    return groups
      .filter((group) => group.length > 0)
      .flatMap((group, at) => (at > 0 ? [make('hr'), ...group] : group));
  }

  #copies({ entity, name }: GridCell): HTMLElement[] {
    const rows = this.#rowsText(entity);
    const value = valueOf(entity, name)?.value ?? '';
    return [
      this.#item('Copy', () => begin(() => copyText(value, 'The value'))),
      this.#item(`Copy ${rows}`, () => this.#withRow(entity, tabbed)),
      this.#item(`Copy ${rows} as JSON`, () => this.#withRow(entity, asJson)),
    ];
  }

  #copiesOf(range: CellRange): HTMLElement[] {
    const size = sizeText(range);
    const copy = (form: Form) => () => begin(() => this.#copyCells(range, form));
    return [
      this.#item(`Copy ${size}`, copy(tabbed)),
      this.#item(`Copy ${size} as JSON`, copy(asJson)),
    ];
  }

  #changes(cell: GridCell): HTMLElement[] {
    if (!this.#may('update') || !isProperty(cell.name)) return [];
    return [
      this.#item('Edit', () => this.#actions.edit(cell)),
      this.#item('Paste', () => this.#actions.paste()),
      this.#item('Remove the value', () => this.#actions.clearCells()),
    ];
  }

  #changesOf(): HTMLElement[] {
    if (!this.#may('update')) return [];
    return [
      this.#item('Paste', () => this.#actions.paste()),
      this.#item('Fill down', () => this.#actions.fill()),
      this.#item('Remove the values', () => this.#actions.clearCells()),
    ];
  }

  #rowItems(entity: TypedEntity): HTMLElement[] {
    const { onDuplicate } = this.#options;
    const rows = this.#rowsText(entity);
    const change = `Change a property${rows === 'row' ? '' : ` of ${rows}`}`;
    return [
      ...(this.#may('insert') ? [this.#item('Duplicate row', () => onDuplicate(entity))] : []),
      ...(this.#may('update') ? [this.#item(change, () => this.#of(entity, 'change'))] : []),
      ...(this.#may('delete')
        ? [this.#item(`Delete ${rows}`, () => this.#of(entity, 'delete'), 'danger')]
        : []),
    ];
  }

  #may(write: Write): boolean {
    const { whyNot, rows } = this.#options;
    return whyNot(write) === undefined && !copyOf(rows()?.table);
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

  // With the other selected rows, or alone.
  #of(entity: TypedEntity, work: 'change' | 'delete'): void {
    const { selection } = this.#options.grid.selector;
    if (!selection.has(entity)) selection.replace([entity]);
    this.#actions[work]();
  }

  async #copyCells({ rows, columns }: CellRange, form: Form): Promise<void> {
    checkCount(rows.last - rows.first + 1);
    const entities = await this.#options.rows()!.entities(rows);
    await copyText(form(entities, columns), sizeText({ rows, columns }));
  }

  async #copyRows(form: Form): Promise<void> {
    const rows = this.#options.rows()!;
    const { selection } = this.#options.grid.selector;
    const count = selection.isAll ? rows.total : selection.size;
    checkCount(count);
    const entities = selection.isAll
      ? await rows.entities({ first: 0, last: rows.total - 1 })
      : await selectedEntities(rows, selection.keys);
    await this.#copyEntities(entities, form);
  }

  async #copyEntities(entities: readonly TypedEntity[], form: Form): Promise<void> {
    const names = this.#options.grid.layout.shown.map(({ name }) => name);
    const subject = entities.length === 1 ? 'The row' : counted(entities.length, 'rows');
    await copyText(form(entities, form === tabbed ? names : undefined), subject);
  }
}

type Form = (entities: readonly TypedEntity[], names?: readonly string[]) => string;

async function selectedEntities(rows: Rows, keys: Iterable<EntityKeys>): Promise<TypedEntity[]> {
  const loaded = new Map(rows.loaded.map((entity) => [idOf(entity), entity]));
  const entities: TypedEntity[] = [];
  for (const one of keys) {
    entities.push(loaded.get(idOf(one)) ?? (await readTypedEntity(rows.table, one)));
  }
  return entities;
}

function valueOf(entity: TypedEntity, name: string): TypedValue | undefined {
  if (name === 'timestamp') return { type: 'DateTime', value: entity.timestamp };
  if (name === 'partitionKey' || name === 'rowKey') return { type: 'String', value: entity[name] };
  return entity.properties.get(name);
}

function checkCount(rows: number): void {
  if (rows <= MOST_TO_COPY) return;
  throw new Error(`More than ${displayCount(MOST_TO_COPY)} rows are for a file: use Export.`);
}

function tabbed(entities: readonly TypedEntity[], names: readonly string[] = []): string {
  return tabbedText(
    entities.map((entity) => names.map((name) => valueOf(entity, name)?.value ?? '')),
  );
}

/** Without names, of the keys and all properties. */
function asJson(entities: readonly TypedEntity[], names?: readonly string[]): string {
  const rows = entities.map((entity) => {
    const own = names ?? ['partitionKey', 'rowKey', ...entity.properties.keys()];
    const values = own.flatMap((name) => {
      const value = valueOf(entity, name);
      return value ? [[TITLES[name] ?? name, jsonOf(value)] as const] : [];
    });
    return Object.fromEntries(values);
  });
  return JSON.stringify(rows, null, 2);
}

// What JSON has no value for is a text, and an Int64 keeps its digits so.
function jsonOf({ type, value }: TypedValue): unknown {
  const isNumber = type === 'Int32' || (type === 'Double' && Number.isFinite(Number(value)));
  if (isNumber) return Number(value);
  return type === 'Boolean' ? value === 'true' : value;
}
