/**
 * Creates and deletes tables. It is loaded with its first use.
 *
 * @module
 */

import { TableError, type TableClient, type TableServiceClient } from 'entitable';

import { readEntities, TooLarge } from '../changes/read-entities.js';
import type { Counting } from '../counting.js';
import { counted } from '../display.js';
import { listTableNames } from '../tables.js';
import type { TypedEntity } from '../typed-entity.js';
import { announce } from './announce.js';
import { confirm } from './confirm.js';
import { byId } from './dom.js';
import type { History } from './history.js';
import { begin, showNotice } from './notice.js';
import type { ResultView } from './result-view.js';
import { TableDialog } from './table-dialog.js';

export interface TableActionsOptions {
  readonly counting: Counting;
  readonly results: ResultView;
  history(): Promise<History>;
  /** Shows a table, or that there is none. */
  show(name: string | undefined): Promise<void>;
  /** The table to show when another one is gone. */
  firstTable(names: readonly string[]): string | undefined;
}

export class TableActions {
  readonly #options: TableActionsOptions;
  readonly #dialog = new TableDialog((table) => begin(() => this.#showCreated(table)));

  constructor(options: TableActionsOptions) {
    this.#options = options;
  }

  /** Asks for a name, and creates a table. */
  create(account: TableServiceClient): void {
    this.#dialog.open(account);
  }

  /** Deletes a table, after a question. */
  async delete(account: TableServiceClient, table: TableClient): Promise<void> {
    const { counting, results, show, firstTable } = this.#options;
    const history = await this.#options.history();
    const { tableName } = table;
    const kept = await entitiesOf(table);
    const isWanted = await confirm({
      title: `Delete the table ${tableName}?`,
      text: contentText(kept),
      action: 'Delete the table',
    });
    if (!isWanted) return;
    // What follows the table would fail with it.
    results.stop();
    try {
      if (kept) await (await history.changes()).deleteTable(table, kept);
      else await table.deleteTable();
    } catch (error) {
      await results.run();
      throw error;
    }
    counting.forget(tableName);
    await show(firstTable(await listTableNames(account)));
    this.#end(`The table ${tableName} was deleted.`);
    history.showDeleted(`The table ${tableName} was deleted.`, !kept);
  }

  /** Somebody else has deleted a table. Several readers report it. */
  async leaveIfGone(account: TableServiceClient, current: () => string | undefined): Promise<void> {
    const { counting, show, firstTable } = this.#options;
    const name = current();
    const names = await listTableNames(account);
    // A table of this name may be there again.
    if (name === undefined || names.includes(name) || current() !== name) return;
    counting.forget(name);
    await show(firstTable(names));
    showNotice(new Error(`The table ${name} was deleted in another place.`));
  }

  async #showCreated(table: TableClient): Promise<void> {
    const { counting, show } = this.#options;
    counting.start(table);
    await show(table.tableName);
    this.#end(`The table ${table.tableName} was created.`);
  }

  #end(text: string): void {
    const title = byId('table-title', HTMLElement);
    // Without a table, the title is hidden.
    if (title.checkVisibility()) title.focus();
    else byId('welcome-table', HTMLButtonElement).focus();
    announce(text);
  }
}

function contentText(kept: readonly TypedEntity[] | undefined): string {
  if (!kept) {
    return 'All its entities are deleted with it. They are too many for an undo, so this is for good.';
  }
  const count = kept.length;
  const what =
    count === 0
      ? 'It has no entities.'
      : `Its ${counted(count, 'entities')} ${count === 1 ? 'is' : 'are'} deleted with it.`;
  return `${what} An undo brings back all but its indexes, rules and access policies.`;
}

/** Undefined, if they are too many to keep for an undo. */
async function entitiesOf(table: TableClient): Promise<TypedEntity[] | undefined> {
  try {
    return await readEntities(table, { filter: '' });
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    // Another tab may have deleted the table. Then it has no entities.
    if (error instanceof TableError && error.code === 'TableNotFound') return [];
    throw error;
  }
}
