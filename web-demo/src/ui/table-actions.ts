/**
 * Creates and deletes tables. It is loaded with its first use.
 *
 * @module
 */

import { TableError, type TableClient, type TableServiceClient } from 'entitable';

import type { Counting } from '../counting.js';
import { displayCount } from '../display.js';
import { isLocal } from '../explorer/limits.js';
import { listTableNames } from '../tables.js';
import { announce } from './announce.js';
import { confirm } from './confirm.js';
import { byId } from './dom.js';
import { begin } from './notice.js';
import type { ResultView } from './result-view.js';
import { TableDialog } from './table-dialog.js';

export interface TableActionsOptions {
  readonly counting: Counting;
  readonly results: ResultView;
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
    const { tableName } = table;
    const isWanted = await confirm({
      title: `Delete the table ${tableName}?`,
      text: `${await contentText(table)} This cannot be undone.`,
      action: 'Delete the table',
    });
    if (!isWanted) return;
    // What follows the table would fail with it.
    results.stop();
    try {
      await table.deleteTable();
    } catch (error) {
      await results.run();
      throw error;
    }
    counting.forget(tableName);
    await show(firstTable(await listTableNames(account)));
    this.#end(`The table ${tableName} was deleted.`);
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

async function contentText(table: TableClient): Promise<string> {
  if (!isLocal(table)) {
    return 'All its entities are deleted with it; the service does not say how many they are.';
  }
  const count = await countOf(table);
  if (count === 0) return 'It has no entities.';
  if (count === 1) return 'Its entity is deleted with it.';
  return `Its ${displayCount(count)} entities are deleted with it.`;
}

// Another tab may have deleted the table. Then it has no entities.
async function countOf(table: TableClient): Promise<number> {
  try {
    return await table.countEntities();
  } catch (error) {
    if (error instanceof TableError && error.code === 'TableNotFound') return 0;
    throw error;
  }
}
