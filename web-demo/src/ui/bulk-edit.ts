/**
 * Changes one property of all selected entities. It is loaded with its first use.
 *
 * @module
 */

import { loadValidator, type EdmTypes, type TableClient } from 'entitable';

import { changeText, MOST_TO_UNDO } from '../changes/change.js';
import { readEntities, TooLarge, type Target } from '../changes/read-entities.js';
import { checkIsWritable } from '../copy/table-copy.js';
import { counted, displayCount } from '../display.js';
import { withValue } from '../entity-draft.js';
import { isLocal } from '../explorer/limits.js';
import { isProperty } from '../grid/cell-range.js';
import { EDM_TYPES, type TypedValue } from '../typed-entity.js';
import { countSelected, selectedTarget } from './delete-selected.js';
import { byId, make, onClick } from './dom.js';
import { codeAndMessage, errorContent } from './errors.js';
import { Field } from './field.js';
import type { GridActionsOptions } from './grid-actions-options.js';
import { begin } from './notice.js';
import { makeControl, makeSelect, makeText } from './property-row.js';
import { whileShown } from './while-shown.js';

const REMOVE = 'No value: remove it';
const verbs = { present: 'Changing', past: 'Changed' };

export class BulkEdit {
  readonly #options: GridActionsOptions;
  readonly #dialog = byId('bulk-dialog', HTMLDialogElement);
  readonly #names = make('datalist', { id: 'bulk-names' });
  readonly #property = new Field('Property', makeText(''));
  readonly #type = makeSelect([...EDM_TYPES, REMOVE], 'String');
  readonly #value = new Field('Value', makeControl('String', ''));
  #count = 0;

  constructor(options: GridActionsOptions) {
    this.#options = options;
    this.#property.control.setAttribute('list', 'bulk-names');
    const type = new Field('Type', this.#type);
    byId('bulk-fields', HTMLElement).append(
      ...[this.#property.element, type.element, this.#value.element, this.#names],
    );
    this.#property.control.addEventListener('change', () => this.#followProperty());
    this.#type.addEventListener('change', () => this.#showType());
    onClick('bulk-cancel', () => this.#dialog.close());
    byId('bulk-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      begin(() => this.#submit());
    });
  }

  /** @param name - the property to begin with. */
  async open(name: string): Promise<void> {
    const { grid, whyNot, rows } = this.#options;
    const shown = rows()!;
    checkIsWritable(shown.table, whyNot('update'));
    this.#count = await countSelected(this.#options);
    byId('bulk-title', HTMLElement).textContent = `Change ${counted(this.#count, 'entities')}`;
    byId('bulk-text', HTMLElement).textContent = this.#canUndo
      ? 'All of them get this value. You can undo it.'
      : `All of them get this value. It cannot be undone, because there are more than ` +
        `${displayCount(MOST_TO_UNDO)}.`;
    const names = grid.layout.all.map((column) => column.name).filter(isProperty);
    this.#names.replaceChildren(...names.map((value) => make('option', { value })));
    this.#property.control.value = isProperty(name) ? name : '';
    this.#property.showError(undefined);
    this.#followProperty();
    this.#dialog.showModal();
    (isProperty(name) ? this.#value : this.#property).control.focus();
  }

  get #canUndo(): boolean {
    return this.#count <= MOST_TO_UNDO;
  }

  get #typed(): TypedValue | undefined {
    const type = this.#type.value;
    return type === REMOVE ? undefined : { type: type as EdmTypes, value: this.#value.value };
  }

  #followProperty(): void {
    const { layout } = this.#options.grid;
    const [type] = layout.all.find(({ name }) => name === this.#property.value)?.types ?? [];
    if (type) this.#type.value = type;
    this.#showType();
  }

  #showType(): void {
    const value = this.#typed;
    this.#value.element.hidden = !value;
    if (value) this.#value.control = makeControl(value.type, value.value);
  }

  async #submit(): Promise<void> {
    const [name, value] = [this.#property.value, this.#typed];
    if (await this.#isRefused(name, value)) return;
    const { table } = this.#options.rows()!;
    const target = await selectedTarget(this.#options);
    this.#dialog.close();
    if (this.#canUndo) await this.#change(table, target, name, value);
    else await this.#changeForGood(table, target, name, value);
  }

  async #isRefused(name: string, value: TypedValue | undefined): Promise<boolean> {
    this.#property.showError(undefined);
    this.#value.showError(undefined);
    if (!isProperty(name) || name === '') {
      this.#property.showContent(errorContent(new Error('Name a property that is no key.')));
      this.#property.control.focus();
      return true;
    }
    const entity = { partitionKey: '', rowKey: '', ...(value && { [name]: value }) };
    const [issue] = (await loadValidator()).validateEntity(entity);
    if (!issue) return false;
    const field = issue.rule?.startsWith('property-') ? this.#property : this.#value;
    field.showContent(codeAndMessage(issue));
    field.control.focus();
    return true;
  }

  async #change(
    table: TableClient,
    target: Target,
    name: string,
    value: TypedValue | undefined,
  ): Promise<void> {
    const found = await readEntities(table, target);
    const edits = found.map((before) => ({ before, after: withValue(before, name, value) }));
    const text = (count: number) =>
      changeText(`${name} of ${counted(count, 'entities')}`, 1, value ? 'changed' : 'removed');
    await (await this.#options.changes()).make({ table, edits, verbs, text });
  }

  async #changeForGood(
    table: TableClient,
    target: Target,
    name: string,
    value: TypedValue | undefined,
  ): Promise<void> {
    // The service changes nothing by a filter.
    if (!('filter' in target) || !isLocal(table)) throw new TooLarge();
    const { panel, onBusy, onForGood } = this.#options;
    const start = performance.now();
    const load = { count: this.#count, noun: 'entities', verbs };
    const { updated } = await whileShown({ panel, onBusy }, load, ({ signal, onProgress }) =>
      table.updateEntities({
        filter: target.filter.trim() || 'true',
        set: { [name]: value ?? null },
        abortSignal: signal,
        onProgress: ({ updated: loaded }) =>
          onProgress({ loaded, milliseconds: performance.now() - start }),
      }),
    );
    onForGood(
      table.tableName,
      `${name} of ${counted(updated, 'entities')} was changed for good.`,
      0,
    );
  }
}
