/**
 * Shows what the user has changed: in the lists, in the grid, and in the message that offers to
 * undo it. What changes and undoes is loaded with the first change.
 *
 * @module
 */

import type { TableClient, TableServiceClient } from 'entitable';

import type { Changes, Report } from '../changes/changes.js';
import { lazy } from '../lazy.js';
import { announce } from './announce.js';
import { byId } from './dom.js';
import type { LoadPanel } from './load-panel.js';
import { attempt, begin, hideNotice } from './notice.js';
import type { ResultView } from './result-view.js';
import type { TableList } from './table-list.js';
import { UndoBar, type Direction } from './undo-bar.js';
import { whileShown } from './while-shown.js';

export interface HistoryOptions {
  readonly panel: LoadPanel;
  readonly tables: TableList;
  readonly results: ResultView;
  account(): TableServiceClient;
  /** The table on the screen. */
  table(): TableClient | undefined;
  /** Reads again what is on the screen. */
  refresh(): Promise<void>;
  /** Shows a table that was brought back, or another one if it is gone. */
  showTables(name: string): Promise<void>;
  onBusy(isBusy: boolean): void;
}

export class History {
  readonly #options: HistoryOptions;
  readonly #bar = new UndoBar((direction) => begin(() => this.#move(direction)));
  readonly #load = lazy(async () => {
    const { Changes } = await import('../changes/changes.js');
    const { panel, onBusy, account } = this.#options;
    this.#changes = new Changes({
      table: (name) => account().tableClient(name),
      whileShown: (load, work) => whileShown({ panel, onBusy }, load, work),
      onReport: (report) => begin(() => this.#show(report)),
    });
    return this.#changes;
  });
  #changes: Changes | undefined;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#offer();
  }

  /** All that changes entities. */
  get changes(): () => Promise<Changes> {
    return this.#load;
  }

  /** Says what cannot be undone. */
  showForGood(table: string, text: string, added: number): Promise<void> {
    return this.#show(
      { way: 'made', table, text, added, keys: undefined, ofTable: undefined },
      true,
    );
  }

  /** Says that a table was deleted, which can be undone or not. */
  showDeleted(text: string, isForGood: boolean): void {
    this.#offer();
    this.#bar.show(text, isForGood ? undefined : 'undo');
    announce(text);
  }

  /** The message is about what is no longer on the screen. */
  hide(): void {
    this.#bar.hide();
  }

  /** Forgets all, because the account is another one. */
  reset(): void {
    this.#bar.hide();
    this.#changes?.forget();
    this.#offer();
  }

  #offer(): void {
    this.#bar.offer(this.#changes?.next ?? { undo: undefined, redo: undefined });
  }

  async #move(direction: Direction): Promise<void> {
    hideNotice();
    await attempt(async () => this.#changes?.[direction]());
    this.#offer();
  }

  async #show(report: Report, isForGood = false): Promise<void> {
    const { way, table, text, added, ofTable } = report;
    const { tables, results, showTables } = this.#options;
    this.#offer();
    const isGone = ofTable && (ofTable === 'deleted') === (way !== 'undone');
    // A load shows itself what it does.
    if (!isGone && !results.isLoading) tables.addToCount(table, added);
    if (ofTable && way !== 'made') await attempt(() => showTables(table));
    else if (!results.isLoading) await attempt(() => this.#showInGrid(report));
    const isElsewhere = this.#options.table()?.tableName !== table && !ofTable;
    const whole = isElsewhere ? `${text} This is in the table ${table}.` : text;
    const direction = way === 'undone' ? 'redo' : 'undo';
    this.#bar.show(whole, isForGood ? undefined : direction);
    announce(whole);
  }

  async #showInGrid({ way, table, keys, added }: Report): Promise<void> {
    const { results, refresh } = this.#options;
    // The view may show another table now.
    if (this.#options.table()?.tableName !== table) return;
    await refresh();
    // The user may go on in the grid.
    if (way === 'made' && added === 0 && results.grid.hasFocus) return;
    if (!results.grid.focus(keys)) byId('table-title', HTMLElement).focus();
  }
}
