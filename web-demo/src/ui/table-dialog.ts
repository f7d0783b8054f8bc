/**
 * The dialog that creates a table.
 *
 * @module
 */

import type { TableClient, TableServiceClient } from 'entitable';

import { listTableNames } from '../tables.js';
import { byId, make, onClick } from './dom.js';
import { errorContent } from './errors.js';
import { Field } from './field.js';
import { begin } from './notice.js';

export class TableDialog {
  readonly #dialog = byId('table-dialog', HTMLDialogElement);
  readonly #create = byId('table-create', HTMLButtonElement);
  readonly #input = make('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
  readonly #name = new Field('Name', this.#input);
  readonly #onCreate: (table: TableClient) => void;
  #account!: TableServiceClient;

  constructor(onCreate: (table: TableClient) => void) {
    this.#onCreate = onCreate;
    byId('table-fields', HTMLElement).append(this.#name.element);
    onClick('table-cancel', () => this.#dialog.close());
    byId('table-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      begin(() => this.#submit());
    });
  }

  open(account: TableServiceClient): void {
    this.#account = account;
    this.#input.value = '';
    this.#name.showContent(undefined);
    this.#dialog.showModal();
    this.#input.focus();
  }

  async #submit(): Promise<void> {
    const name = this.#input.value;
    this.#create.disabled = true;
    try {
      await createNew(this.#account, name);
      this.#dialog.close();
      this.#onCreate(this.#account.tableClient(name));
    } catch (error) {
      this.#name.showContent(errorContent(error));
      this.#input.focus();
    } finally {
      this.#create.disabled = false;
    }
  }
}

// To the client, a table that exists is no error.
async function createNew(account: TableServiceClient, name: string): Promise<void> {
  // The service takes names that differ in case alone for the same.
  const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
  const existing = (await listTableNames(account)).find(isSame);
  if (existing !== undefined) throw new Error(`The table ${existing} exists already.`);
  await account.createTable(name);
}
