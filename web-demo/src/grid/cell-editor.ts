/**
 * Changes the value in a cell: its value, its type, or that the entity has the property at all.
 *
 * @module
 */

import { loadValidator, TableError, type EdmTypes, type Issue, type TableClient } from 'entitable';

import type { EntityChange } from '../entity-change.js';
import { draftOf, toEntity } from '../entity-draft.js';
import { EDM_TYPES, readTypedEntity, type TypedEntity, type TypedValue } from '../typed-entity.js';
import { make, makeButton } from '../ui/dom.js';
import { codeAndMessage, errorContent } from '../ui/errors.js';
import { Field } from '../ui/field.js';
import { makeControl, makeSelect } from '../ui/property-row.js';
import type { GridCell } from './grid-options.js';
import { EDITING, HAS_EDITOR } from './grid-row.js';

// In pixels, between the form and the edge of the grid.
const EDGE = 8;

export interface CellEditorOptions {
  readonly table: TableClient;
  /** The type of a property that the entity does not have yet. */
  readonly type: EdmTypes;
  onChange(change: EntityChange): void;
  /** Called when it is closed. The cell may have the focus again. */
  onClose(): void;
}

export class CellEditor {
  readonly #cell: GridCell;
  readonly #options: CellEditorOptions;
  readonly #type: HTMLSelectElement;
  readonly #value: Field;
  readonly #form: HTMLFormElement;
  readonly #first: TypedValue;
  // As it was read last. A save has its etag.
  #entity: TypedEntity;

  constructor(cell: GridCell, options: CellEditorOptions) {
    this.#cell = cell;
    this.#options = options;
    this.#entity = cell.entity;
    const property = cell.entity.properties.get(cell.name);
    this.#first = property ?? { type: options.type, value: '' };
    const { type, value } = this.#first;
    this.#type = makeSelect(EDM_TYPES, type);
    this.#value = new Field(`${cell.name} of ${cell.entity.rowKey}`, makeControl(type, value));
    this.#type.addEventListener('change', () => {
      this.#value.control = makeControl(this.#typed.type, this.#typed.value);
    });
    this.#form = this.#makeForm(property !== undefined);
    this.#open();
  }

  /** Whether it is still in the grid. */
  get isOpen(): boolean {
    return this.#form.isConnected;
  }

  /** Whether the user would lose something if it was closed. */
  get isChanged(): boolean {
    const { type, value } = this.#typed;
    return type !== this.#first.type || value !== this.#first.value;
  }

  focus(): void {
    this.#value.control.focus();
  }

  close(): void {
    const { element } = this.#cell;
    this.#form.remove();
    element.classList.remove(EDITING);
    element.parentElement?.classList.remove(HAS_EDITOR);
    this.#options.onClose();
  }

  get #typed(): TypedValue {
    return { type: this.#type.value as EdmTypes, value: this.#value.value };
  }

  #makeForm(isThere: boolean): HTMLFormElement {
    const type = new Field('Type', this.#type);
    const remove = makeButton({ class: 'danger' }, () => this.#try(() => this.#remove()), 'Remove');
    const form = make(
      'form',
      { class: 'cell-editor', novalidate: true, 'aria-label': 'Edit the value' },
      make('div', { class: 'cell-editor-fields' }, this.#value.element, type.element),
      make(
        'div',
        { class: 'cell-editor-foot' },
        ...(isThere ? [remove] : []),
        makeButton({}, () => this.close(), 'Cancel'),
        make('button', { type: 'submit' }, 'Save'),
      ),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#try(() => this.#save());
    });
    form.addEventListener('keydown', (event) => this.#press(event));
    return form;
  }

  #open(): void {
    const { element } = this.#cell;
    element.classList.add(EDITING);
    element.parentElement!.classList.add(HAS_EDITOR);
    element.append(this.#form);
    this.#keepInSight();
    const { control } = this.#value;
    control.focus({ preventScroll: true });
    if (control instanceof HTMLSelectElement) return;
    const { typed } = this.#cell;
    if (typed === undefined) control.select();
    else control.value = typed;
  }

  // A cell at the edge has no room for the form.
  #keepInSight(): void {
    const { style, classList } = this.#form;
    style.left = '0';
    classList.remove('above');
    const room = this.#cell.element.closest('.grid')!.getBoundingClientRect();
    const box = this.#form.getBoundingClientRect();
    const over = Math.max(0, box.right + EDGE - room.right);
    style.left = `${Math.max(-over, room.left + EDGE - box.left)}px`;
    classList.toggle('above', box.bottom > Math.min(room.bottom, innerHeight));
  }

  // In a text of several lines, Shift and Enter begin another line.
  #press(event: KeyboardEvent): void {
    const { key, shiftKey, target } = event;
    if (key === 'Escape') this.close();
    else if (key === 'Enter' && !shiftKey && !(target instanceof HTMLButtonElement)) {
      this.#form.requestSubmit();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #try(work: () => Promise<{ etag?: string | undefined }>): void {
    this.#value.showError(undefined);
    const before = this.#entity;
    work().then(
      ({ etag }) => this.#finish(before, etag),
      (error: unknown) => this.#explain(error),
    );
  }

  #save(): Promise<{ etag?: string | undefined }> {
    const { partitionKey, rowKey, etag } = this.#entity;
    const entity = { partitionKey, rowKey, [this.#cell.name]: this.#typed };
    return this.#options.table.updateEntity(entity, 'Merge', { etag });
  }

  #remove(): Promise<{ etag?: string | undefined }> {
    const draft = draftOf(this.#entity);
    const properties = draft.properties.filter(({ name }) => name !== this.#cell.name);
    const { etag } = this.#entity;
    return this.#options.table.updateEntity(toEntity({ ...draft, properties }), 'Replace', {
      etag,
    });
  }

  #finish(before: TypedEntity, etag: string | undefined): void {
    const { table, onChange } = this.#options;
    this.close();
    onChange({
      kind: 'saved',
      table: table.tableName,
      subject: before.rowKey,
      count: 1,
      keys: before,
      undo: async () =>
        void (await table.updateEntity(toEntity(draftOf(before)), 'Replace', { etag })),
    });
  }

  async #explain(error: unknown): Promise<void> {
    if (!(error instanceof TableError)) return this.#show(errorContent(error));
    if (error.code === 'UpdateConditionNotSatisfied') return this.#explainConflict(error);
    const { name } = this.#cell;
    const broken =
      error.issues.find(({ path }) => path?.[0] === name) ?? (await this.#brokenRule());
    const { code, message } = error;
    this.#show(codeAndMessage({ code, message, ...broken }));
  }

  // The service does not say which rule a value breaks.
  async #brokenRule(): Promise<Pick<Issue, 'code' | 'message'> | undefined> {
    const { partitionKey, rowKey } = this.#entity;
    const entity = { partitionKey, rowKey, [this.#cell.name]: this.#typed };
    return (await loadValidator()).validateEntity(entity)[0];
  }

  // What the user has typed stays. The next save is one over the current value.
  async #explainConflict(error: TableError): Promise<void> {
    const { table } = this.#options;
    try {
      this.#entity = await readTypedEntity(table, this.#entity);
    } catch (reason) {
      return this.#show(errorContent(reason));
    }
    const now = this.#entity.properties.get(this.#cell.name);
    const value = now ? `The value is now ${now.value} (${now.type})` : 'The property is gone';
    this.#show([
      ...codeAndMessage({ code: error.code, message: 'The entity has changed since.' }),
      ` ${value}. Save again to write yours over it, or press Escape to keep it.`,
    ]);
  }

  #show(content: (Node | string)[]): void {
    this.#value.showContent(content);
    this.#keepInSight();
    this.focus();
  }
}
