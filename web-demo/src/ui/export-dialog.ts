/**
 * The dialog that exports a table or a query. It shows the progress, and can be stopped.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { counted } from '../display.js';
import { exportTable } from '../export/export-table.js';
import { openFile } from '../export/file-sink.js';
import { FORMATS } from '../export/formats.js';
import type { RowQuery } from '../rows/row-query.js';
import { announce } from './announce.js';
import { byId, onClick } from './dom.js';
import { errorContent } from './errors.js';
import { Field } from './field.js';
import { begin } from './notice.js';
import { makeSelect } from './property-row.js';

const WHOLE = 'The whole table';
const QUERY = 'What the filter selects';
const IN_ORDER = 'The file has the order on the screen.';

export class ExportDialog {
  readonly #dialog = byId('export-dialog', HTMLDialogElement);
  readonly #error = byId('export-error', HTMLElement);
  readonly #status = byId('export-status', HTMLElement);
  readonly #bar = byId('export-progress', HTMLProgressElement);
  readonly #start = byId('export-start', HTMLButtonElement);
  readonly #what = new Field('Entities', makeSelect([WHOLE], WHOLE));
  readonly #format = new Field('Form', makeSelect(Object.keys(FORMATS), ''));
  #table!: TableClient;
  #query: RowQuery = { filter: '', sort: undefined };
  #abort = new AbortController();

  constructor() {
    byId('export-fields', HTMLElement).append(this.#what.element, this.#format.element);
    for (const id of ['export-close', 'export-cancel']) onClick(id, () => this.#dialog.close());
    this.#dialog.addEventListener('close', () => this.#abort.abort());
    byId('export-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      begin(() => this.#export());
    });
  }

  /** @param query - that is on the screen. */
  open(table: TableClient, query: RowQuery): void {
    this.#table = table;
    this.#query = query;
    const choices = query.filter.trim() ? [QUERY, WHOLE] : [WHOLE];
    this.#what.control = makeSelect(choices, choices[0]!);
    byId('export-title', HTMLElement).textContent = `Export ${table.tableName}`;
    this.#show(query.sort ? IN_ORDER : '', false);
    this.#error.hidden = true;
    this.#dialog.showModal();
    this.#format.control.focus();
  }

  async #export(): Promise<void> {
    const { signal } = (this.#abort = new AbortController());
    const format = FORMATS[this.#format.value]!;
    const name = `${this.#table.tableName}.${format.ending}`;
    this.#error.hidden = true;
    try {
      const sink = await openFile(name, format.type);
      if (!sink) return;
      this.#show('Reading…', true);
      const { filter, sort } = this.#query;
      const query = { filter: this.#what.value === QUERY ? filter : '', sort };
      const onProgress = (count: number) => this.#show(`${counted(count, 'entities')} read`, true);
      const count = await exportTable(sink, {
        ...{ table: this.#table, query, format, signal, onProgress },
      });
      announce(`${name} has ${counted(count, 'entities')}.`);
      this.#dialog.close();
    } catch (error) {
      if (signal.aborted) return;
      this.#show('', false);
      this.#error.replaceChildren(...errorContent(error));
      this.#error.hidden = false;
    }
  }

  #show(status: string, isBusy: boolean): void {
    this.#status.textContent = status;
    this.#bar.hidden = !isBusy;
    this.#start.disabled = isBusy;
  }
}
