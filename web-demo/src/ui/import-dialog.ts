/**
 * The preview of a file: its columns, how they become properties, and which rows break a rule.
 *
 * @module
 */

import { loadValidator } from 'entitable';

import { counted, displayCount, displaySize } from '../display.js';
import { nameRule, type IsName } from '../../../js/src/formats/column-names.js';
import { rowsText } from '../../../js/src/formats/fault-groups.js';
import { checkRows, SAME_KEYS, type CheckResult } from '../import/check.js';
import { suggestPlan, type ImportPlan } from '../import/plan.js';
import { canUndo } from '../import/store-with-undo.js';
import { RowFile } from '../import/row-file.js';
import type { CheckedFile } from '../import/store.js';
import { summarize, type FileSummary } from '../import/summary.js';
import { byId, make } from './dom.js';
import { codeAndMessage, errorContent } from './errors.js';
import { ImportForm } from './import-form.js';
import { begin } from './notice.js';
import { ReadingForm } from './reading-form.js';

export class ImportDialog {
  readonly #dialog = byId('import-dialog', HTMLDialogElement);
  readonly #title = byId('import-dialog-title', HTMLElement);
  readonly #facts = byId('import-facts', HTMLElement);
  readonly #error = byId('import-error', HTMLElement);
  readonly #plan = byId('import-plan', HTMLElement);
  readonly #status = byId('import-status', HTMLElement);
  readonly #progress = byId('import-progress', HTMLProgressElement);
  readonly #faults = byId('import-faults', HTMLUListElement);
  readonly #start = byId('import-start', HTMLButtonElement);
  readonly #reading = new ReadingForm(() => begin(() => this.#read()));
  readonly #form = new ImportForm(() => begin(() => this.#check()));
  readonly #onImport: (checked: CheckedFile) => void;

  #source: File | undefined;
  #file: RowFile | undefined;
  #summary: FileSummary | undefined;
  #checked: CheckedFile | undefined;
  // The user wants the import, but a check has just begun: the click itself may have ended a
  // change.
  #isWanted = false;
  // Ends the reading of a file, or a check that is out of date.
  #abort = new AbortController();

  constructor(onImport: (checked: CheckedFile) => void) {
    this.#onImport = onImport;
    for (const id of ['import-close', 'import-cancel']) {
      byId(id, HTMLButtonElement).addEventListener('click', () => this.#dialog.close());
    }
    this.#dialog.addEventListener('close', () => this.#abort.abort());
    byId('import-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  /** Reads the file, and shows what it has. Without a table, its name suggests one. */
  async open(file: File, table = ''): Promise<void> {
    this.#title.textContent = `Import ${file.name}`;
    this.#source = file;
    this.#reading.reset();
    this.#form.table.control.value = table;
    this.#plan.hidden = true;
    this.#start.disabled = true;
    this.#dialog.showModal();
    await this.#read(() => this.#form.table.control.focus());
  }

  // Reads the file as the user has chosen, and begins a plan. The one before stays on the screen
  // meanwhile, because the focus may be in it.
  async #read(onRead = () => {}): Promise<void> {
    const file = this.#source!;
    const { file: choices, forms: known } = this.#reading.choices;
    this.#facts.textContent = displaySize(file.size);
    this.#start.textContent = 'Import';
    this.#start.disabled = true;
    this.#summary = undefined;
    this.#begin('Reading the file…');
    const { signal } = this.#abort;
    await this.#attempt(signal, async () => {
      const opened = await RowFile.open(file, choices);
      signal.throwIfAborted();
      this.#file = opened;
      const onProgress = (rows: number) =>
        (this.#facts.textContent = `${displaySize(file.size)} · ${displayCount(rows)} rows…`);
      const summary = await summarize(opened, { signal, known, onProgress });
      const isName = nameRule(await loadValidator());
      signal.throwIfAborted();
      this.#show(summary, isName);
    });
    if (signal.aborted) return;
    this.#plan.hidden = this.#summary === undefined;
    onRead();
    await this.#check();
  }

  #show(summary: FileSummary, isName: IsName): void {
    const { kind, size, name, reading } = this.#file!;
    const { rows, columns, forms } = summary;
    const counts = [counted(rows, 'rows'), counted(columns.length, 'columns')];
    this.#facts.textContent = [kind, displaySize(size), ...counts].join(' · ');
    this.#reading.show(reading, forms);
    if (rows === 0) throw new Error('The file has no rows.');
    const plan = suggestPlan(name, summary, isName);
    // A name that the user has given stays.
    this.#form.fill(summary, { ...plan, table: this.#form.table.value || plan.table });
    const left = plan.leftOut.join(', ');
    if (left !== '') this.#facts.append(` · left out, because the service sets it: ${left}`);
    this.#summary = summary;
  }

  /** Checks all rows under the plan of the form. */
  async #check(): Promise<void> {
    // What is being read is checked then.
    if (!this.#summary) return;
    const { rows } = this.#summary;
    const { plan } = this.#form;
    this.#begin(`Checking ${counted(rows, 'rows')}…`);
    const { signal } = this.#abort;
    await this.#attempt(signal, async () => {
      if (await this.#isRefused(plan)) return;
      this.#progress.max = rows;
      const result = await checkRows(this.#file!, plan, {
        ...{ signal, rows },
        onProgress: (number) => (this.#progress.value = number),
      });
      this.#checked = { file: this.#file!, plan, rows, refused: result.refused };
      this.#showResult(result, rows);
    });
  }

  // The name of the table belongs to no row.
  async #isRefused({ table, columns }: ImportPlan): Promise<boolean> {
    const [broken] = (await loadValidator()).validateTableName(table);
    this.#form.table.showError(broken);
    const names = columns.map(({ property }) => property);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) throw new Error(`Two columns have the property name ${twice}.`);
    if (broken) {
      this.#start.disabled = true;
      this.#end('The table needs another name.');
    }
    return broken !== undefined;
  }

  #showResult({ refused, faults, codes }: CheckResult, rows: number): void {
    const good = rows - refused.size;
    this.#faults.replaceChildren(
      ...faults.map((group) => {
        const error = { code: group.scope, message: group.text };
        const rows = `Row${group.count > 1 ? 's' : ''} ${rowsText(group)}: `;
        return make('li', {}, rows, ...codeAndMessage(error));
      }),
    );
    const verb = refused.size === 1 ? 'is' : 'are';
    const status =
      refused.size === 0
        ? 'No row breaks a rule of the service.'
        : `${displayCount(good)} of ${counted(rows, 'rows')}; ` +
          `${displayCount(refused.size)} ${verb} left out: ${reasonsOf(codes)}.`;
    const isKept = canUndo(good, this.#file!.size);
    this.#end(isKept ? status : `${status} So large an import cannot be undone.`);
    this.#start.textContent = `Import ${counted(good, 'rows')}`;
    this.#start.disabled = refused.size === rows;
    // What an import leaves out must be seen first.
    if (this.#isWanted && refused.size === 0) this.#submit();
  }

  #submit(): void {
    const checked = this.#checked;
    this.#isWanted = !checked;
    if (!checked) return;
    this.#dialog.close();
    this.#onImport(checked);
  }

  #begin(status: string): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#checked = undefined;
    this.#error.hidden = true;
    this.#faults.replaceChildren();
    this.#isWanted = false;
    this.#progress.removeAttribute('value');
    this.#progress.hidden = false;
    this.#showStatus(status);
  }

  #end(status: string): void {
    this.#progress.hidden = true;
    this.#showStatus(status);
  }

  #showStatus(status: string): void {
    this.#status.textContent = status;
  }

  // What was given up for something newer shows no error.
  async #attempt(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      this.#start.disabled = true;
      this.#error.replaceChildren(...errorContent(error));
      this.#error.hidden = false;
      this.#end('Nothing can be imported: see the error above.');
    }
  }
}

// Such as `400 with the keys of an earlier row, 55 with InvalidInput`.
function reasonsOf(codes: CheckResult['codes']): string {
  const reasons = Array.from(codes).sort(([, a], [, b]) => b - a);
  return reasons
    .map(([code, count]) => {
      const reason = code === SAME_KEYS ? 'the keys of an earlier row' : code;
      return `${displayCount(count)} with ${reason}`;
    })
    .join(', ');
}
