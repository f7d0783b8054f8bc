/**
 * The entities of a result as a grid that scrolls through all of them: a column for each property,
 * with its types. Only the rows in sight are in the document.
 *
 * @module
 */

import type { EntityKeys, Sort } from '../rows/row-query.js';
import type { Rows, RowRange } from '../rows/rows.js';
import type { TypedEntity } from '../typed-entity.js';
import { byId, make } from '../ui/dom.js';
import { RangeSelection, type CellRange } from './cell-range.js';
import { dragColumns } from './column-drag.js';
import { bringIntoSight, characterWidth } from './measures.js';
import { ColumnLayout, type GridColumn } from './column-layout.js';
import { GridBody } from './grid-body.js';
import { GridHead } from './grid-head.js';
import { SELECT_COLUMN, type GridRow } from './grid-row.js';
import type { Place } from './grid-keys.js';
import type { GridOptions, GridView } from './grid-options.js';
import { RowSelector } from './row-selector.js';
import { ScrollMap } from './scroll-map.js';

/** The rows around those in sight: drawn, and loaded. */
const DRAWN_AROUND = 8;
const LOADED_AROUND = 60;

export class Grid {
  readonly layout = new ColumnLayout();
  readonly selector = new RowSelector();
  readonly options: GridOptions;
  readonly #region = byId('grid', HTMLElement);
  readonly #text = make('p', { class: 'nothing' });
  readonly head = new GridHead((isSelected) =>
    isSelected ? this.selector.selection.selectAll() : this.selector.selection.clear(),
  );
  readonly body = new GridBody();
  readonly canvas = make(
    'div',
    {
      ...{ role: 'grid', class: 'grid-canvas' },
      ...{ 'aria-multiselectable': 'true', 'aria-describedby': 'grid-keys' },
    },
    this.head.element,
    this.body.element,
  );
  #map: ScrollMap;
  #headHeight = 0;
  #columns: readonly GridColumn[] = [];
  #rows: Rows | undefined;
  #sort: Sort | undefined;
  #current = { row: 0, column: 'rowKey' };
  readonly #range = new RangeSelection();
  // The element of the current cell, which the Tab key comes to.
  #tabStop: HTMLElement | undefined;

  constructor(options: GridOptions) {
    this.options = options;
    this.#map = this.#newMap();
    this.#region.addEventListener('scroll', () => this.#followScroll(), { passive: true });
    new ResizeObserver(() => this.#resize()).observe(this.#region);
    this.layout.onChange = () => this.#showColumns();
    this.selector.selection.onChange = () => {
      if (this.selector.selection.isAny) this.clearRange();
      this.draw();
      options.onSelect();
    };
    dragColumns(this.head, this.layout);
  }

  #newMap(): ScrollMap {
    const height = getComputedStyle(this.#region).getPropertyValue('--row-height');
    return new ScrollMap(parseFloat(height));
  }

  /** The styles may give the rows another height now. The first row in sight stays the first. */
  followDensity(): void {
    const { first } = this.#map.visible;
    this.#map = this.#newMap();
    this.#headHeight = this.head.element.offsetHeight;
    this.#resize(first * this.#map.rowHeight);
  }

  get sort(): Sort | undefined {
    return this.#sort;
  }

  /** The number of rows and columns, and the rows that are in sight. */
  get size() {
    const { pageRows } = this.#map;
    return { rows: this.#rows?.total ?? 0, columns: this.#columns.length + 1, pageRows };
  }

  get current(): Place {
    return { row: this.#current.row, column: this.columnNames.indexOf(this.#current.column) };
  }

  /** The selected cells: those of a range, or else the current one. Undefined in the header. */
  get cells(): CellRange | undefined {
    return this.#range.to(this.#current, this.columnNames.slice(1));
  }

  /** Whether the cells are a range. */
  get hasRange(): boolean {
    return this.#range.isOpen;
  }

  /** A range begins at a cell, unless there is one. */
  beginRange({ row, column }: Place): void {
    this.#range.begin({ row, column: this.columnNames[column]! });
  }

  /** Selects the cells between a corner, or the current cell, and another one. */
  extendTo({ row, column }: Place): void {
    const last = this.columnNames.length - 1;
    this.beginRange(this.current);
    const place = {
      row: Math.min(Math.max(row, 0), this.size.rows - 1),
      column: Math.min(Math.max(column, 1), last),
    };
    if (this.selector.selection.isAny) this.selector.selection.clear();
    this.#goTo(place);
    this.options.onRange();
  }

  /** Selects no more than the current cell. */
  clearRange(): void {
    if (!this.#range.isOpen) return;
    this.#range.clear();
    this.draw();
    this.options.onRange();
  }

  /** The entity of the current cell, if it is loaded. */
  get currentEntity(): TypedEntity | undefined {
    return this.#rows?.at(this.#current.row);
  }

  get currentColumn(): string {
    return this.#current.column;
  }

  /** The rows in sight. */
  get range(): RowRange {
    return this.#rangeAround(0);
  }

  /** Whether the first row is in sight, and the user is not in another one. */
  get isAtTop(): boolean {
    return this.#map.position === 0 && !this.hasFocus;
  }

  /** Shows the first rows of another result. */
  show(rows: Rows, { caption, sort }: GridView): void {
    const isInHead = this.head.element.matches(':focus-within');
    const { scrollLeft } = this.#region;
    this.#sort = sort;
    this.#take(rows);
    this.body.clear();
    this.selector.selection.clear();
    this.clearRange();
    if (!isInHead) this.#current = { row: 0, column: 'rowKey' };
    this.canvas.ariaLabel = caption;
    if (this.canvas.parentNode !== this.#region) this.#region.replaceChildren(this.canvas);
    this.layout.characterWidth = characterWidth(this.canvas);
    this.layout.add(rows.loaded);
    this.#map.moveTo(0);
    this.#showColumns();
    this.#region.scrollTo(isInHead ? scrollLeft : 0, 0);
    this.#followScroll();
  }

  /**
   * Shows the same result as it is now. The focused row stays where it is on the screen, or else
   * the first row in sight.
   *
   * @param moved - how many rows the first row in sight has moved by.
   */
  replace(rows: Rows, moved: number): void {
    const entity = this.hasFocus ? this.currentEntity : undefined;
    const row = entity && rows.rowOf(entity);
    const shift = row === undefined ? moved : row - this.#current.row;
    const isAtTop = this.isAtTop;
    this.#take(rows);
    this.body.shift(shift);
    this.#range.shift(shift);
    if (this.#current.row >= 0) {
      const last = Math.max(0, rows.total - 1);
      this.#current.row = Math.min(Math.max(0, this.#current.row + shift), last);
    }
    if (this.layout.add(rows.loaded)) this.#showColumns();
    const position = isAtTop ? 0 : this.#map.position + shift * this.#map.rowHeight;
    this.#resize(position);
    if (this.hasRange) this.options.onRange();
  }

  /** Whether these rows are those that it shows. */
  isSame(rows: Rows, moved: number): boolean {
    return moved === 0 && rows.total === this.#rows?.total && this.body.shows(rows);
  }

  /** Shows a text instead of entities, and what may help. */
  showText(text: string, help: readonly HTMLElement[] = []): void {
    this.#rows?.stop();
    this.#rows = undefined;
    this.body.clear();
    this.#text.textContent = text;
    if (help.length > 0) this.#text.append(make('span', { class: 'examples' }, ...help));
    this.#region.replaceChildren(this.#text);
    this.selector.selection.clear();
    this.clearRange();
  }

  /** Moves the focus to an entity, or to the current row if it is not there. False without rows. */
  focus(keys?: EntityKeys): boolean {
    if (!this.#rows || this.#rows.total === 0) return false;
    const row = keys && this.#rows.rowOf(keys);
    this.#goTo({ ...this.current, row: row ?? Math.max(0, this.#current.row) });
    return true;
  }

  /** Makes a cell the current one, brings it into sight, and focuses it. */
  moveTo(place: Place): void {
    this.clearRange();
    this.#goTo(place);
  }

  #goTo({ row, column }: Place): void {
    this.#current = { row, column: this.columnNames[column] ?? 'rowKey' };
    if (row >= 0) this.#scrollTo(this.#map.positionFor(row));
    this.draw();
    this.#showColumn();
    this.#tabStop?.focus({ preventScroll: true });
  }

  /** The focus has come to a cell. */
  follow(row: GridRow | undefined, column: string): void {
    const at = row?.row ?? -1;
    if (at === this.#current.row && column === this.#current.column) return;
    this.#current = { row: at, column };
    this.clearRange();
    this.#markTabStop();
  }

  /** Draws the rows that are in sight now. */
  draw(): void {
    const rows = this.#rows;
    if (!rows) return;
    const { selection } = this.selector;
    this.body.draw({
      rows,
      columns: this.#columns,
      map: this.#map,
      range: this.#rangeAround(DRAWN_AROUND),
      current: this.#current.row,
      isSelected: (keys) => selection.has(keys),
      cells: this.#range.isOpen ? this.cells : undefined,
    });
    const some = selection.isAny ? 'some' : 'none';
    this.head.showSelection(selection.isAll ? 'all' : some);
    this.#markTabStop();
    rows.want(this.#rangeAround(LOADED_AROUND));
  }

  /** Whether the focus is in a row. */
  get hasFocus(): boolean {
    return this.body.element.matches(':focus-within');
  }

  /** Of the columns on the screen, that of the checkboxes included. */
  get columnNames(): string[] {
    return [SELECT_COLUMN, ...this.#columns.map(({ name }) => name)];
  }

  #rangeAround(around: number): RowRange {
    const { first, last } = this.#map.visible;
    const end = (this.#rows?.total ?? 0) - 1;
    return { first: Math.max(0, first - around), last: Math.min(end, last + around) };
  }

  #take(rows: Rows): void {
    this.#rows?.stop();
    this.#rows = this.selector.rows = rows;
    rows.onLoad = () => this.#afterLoad();
    rows.onError = this.options.onTrouble;
  }

  #afterLoad(): void {
    if (this.layout.add(this.#rows!.loaded)) this.#showColumns();
    this.#resize();
    this.options.onLoad();
  }

  /** The number of rows, or the room for them, may have changed. */
  #resize(position = this.#map.position): void {
    if (!this.#rows) return;
    const { total, isFinal } = this.#rows;
    this.#map.resize(total, this.#region.clientHeight - this.#headHeight);
    this.canvas.style.height = `${this.#headHeight + this.#map.height}px`;
    this.canvas.ariaRowCount = isFinal ? String(total + 1) : '-1';
    this.#scrollTo(position);
    this.draw();
  }

  #scrollTo(position: number): void {
    const scrolled = this.#map.moveTo(position);
    if (Math.abs(scrolled - this.#region.scrollTop) >= 1) this.#region.scrollTop = scrolled;
    this.#map.settle(this.#region.scrollTop);
  }

  #followScroll(): void {
    const scrolled = this.#map.follow(this.#region.scrollTop);
    if (scrolled !== this.#region.scrollTop) this.#scrollTo(this.#map.position);
    this.draw();
    this.options.onScroll();
  }

  #showColumns(): void {
    const columns = this.layout.shown;
    this.#columns = columns;
    const widths = columns.map(({ width }) => `${width}px`).join(' ');
    this.canvas.style.setProperty('--columns', widths);
    this.canvas.ariaColCount = String(columns.length + 1);
    this.head.show(columns, this.#sort);
    if (!this.columnNames.includes(this.#current.column)) this.#current.column = 'rowKey';
    this.#headHeight = this.head.element.offsetHeight;
    this.#resize();
  }

  /** Brings the current column into sight; the row key may cover others. */
  #showColumn(): void {
    const { row, column } = this.#current;
    const cell = row < 0 ? this.head.cell(column) : this.body.at(row)?.cell(column);
    if (!cell || getComputedStyle(cell).position === 'sticky') return;
    bringIntoSight(this.#region, cell, this.head.cell('rowKey')!);
  }

  #markTabStop(): void {
    const { row, column } = this.#current;
    const next = row < 0 ? this.head.target(column) : this.body.at(row)?.target(column);
    if (next === this.#tabStop) return;
    if (this.#tabStop) this.#tabStop.tabIndex = -1;
    if (next) next.tabIndex = 0;
    this.#tabStop = next;
  }
}
