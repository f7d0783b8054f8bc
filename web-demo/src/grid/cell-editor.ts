/**
 * Changes the value in a cell, in its place: its value, its type, or that the entity has the
 * property at all.
 *
 * @module
 */

import { loadValidator, TableError, type EdmTypes, type Issue, type TableClient } from 'entitable';

import { changeText } from '../changes/change.js';
import type { Changes } from '../changes/changes.js';
import { withValue } from '../entity-draft.js';
import { EDM_TYPES, readTypedEntity, type TypedEntity, type TypedValue } from '../typed-entity.js';
import { make, makeButton } from '../ui/dom.js';
import { codeAndMessage, errorContent } from '../ui/errors.js';
import { Field } from '../ui/field.js';
import { makeSelect } from '../ui/property-row.js';
import type { GridCell } from './grid-options.js';
import { EDITING, HAS_EDITOR } from './grid-row.js';
import type { Step } from './range-moves.js';
import { ValueControl } from './value-control.js';

// In pixels, between the form and the edge of the grid.
const EDGE = 8;

const STAY = { rows: 0, columns: 0 };

export interface CellEditorOptions {
  readonly table: TableClient;
  /** The type of a property that the entity does not have yet. */
  readonly type: EdmTypes;
  readonly changes: Changes;
  /** Called when it is closed; undefined, if the user is elsewhere already. */
  onClose(step: Step | undefined): void;
}

export class CellEditor {
  readonly #cell: GridCell;
  readonly #options: CellEditorOptions;
  readonly #type: HTMLSelectElement;
  readonly #value: Field;
  readonly #more: HTMLButtonElement;
  readonly #foot: HTMLElement;
  readonly #form: HTMLFormElement;
  readonly #first: TypedValue;
  #control: ValueControl;
  // As it was read last. A save has its etag.
  #entity: TypedEntity;
  #isSaving = false;
  #hasError = false;

  constructor(cell: GridCell, options: CellEditorOptions) {
    this.#cell = cell;
    this.#options = options;
    this.#entity = cell.entity;
    const property = cell.entity.properties.get(cell.name);
    this.#first = property ?? { type: options.type, value: '' };
    this.#control = new ValueControl(this.#first, () => this.#keepInSight());
    this.#value = new Field(`${cell.name} of ${cell.entity.rowKey}`, this.#control.element);
    this.#type = makeSelect(EDM_TYPES, this.#first.type);
    this.#type.addEventListener('change', () => this.#showType());
    this.#more = makeButton(
      { class: 'quiet editor-more', 'aria-expanded': 'false', title: 'Type (F2)' },
      () => this.#toggleFoot(),
    );
    this.#more.ariaLabel = `Type: ${this.#first.type}`;
    const remove = makeButton({ class: 'danger' }, () => this.#write(undefined, STAY), 'Remove');
    const type = new Field('Type', this.#type);
    this.#foot = make(
      'div',
      { class: 'editor-foot', hidden: true },
      ...[type.element, ...(property ? [remove] : [])],
    );
    this.#form = this.#makeForm();
    this.#open();
  }

  /** Whether it is still in the grid. */
  get isOpen(): boolean {
    return this.#form.isConnected;
  }

  /** Whether the user would lose something if it was closed. */
  get isChanged(): boolean {
    const { type, value } = this.#control.value;
    return type !== this.#first.type || value !== this.#first.value;
  }

  focus(): void {
    this.#control.element.focus();
  }

  /** @param step - where the focus goes; undefined, if it is elsewhere already. */
  close(step?: Step): void {
    if (!this.isOpen) return;
    const { element } = this.#cell;
    element.classList.remove(EDITING);
    element.parentElement?.classList.remove(HAS_EDITOR);
    // It loses the focus, which must not save once more.
    this.#isSaving = true;
    this.#form.remove();
    this.#options.onClose(step);
  }

  #makeForm(): HTMLFormElement {
    const form = make(
      'form',
      { class: 'cell-editor', novalidate: true, 'aria-label': 'Edit the value' },
      ...[this.#value.element, this.#more, this.#foot],
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#save({ rows: 1, columns: 0 });
    });
    form.addEventListener('keydown', (event) => {
      if (event.isComposing || !this.#press(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    form.addEventListener('focusout', ({ relatedTarget }) => this.#leave(relatedTarget));
    return form;
  }

  #open(): void {
    const { element, typed } = this.#cell;
    element.classList.add(EDITING);
    element.parentElement!.classList.add(HAS_EDITOR);
    element.append(this.#form);
    this.#control.begin(typed);
    this.#keepInSight();
  }

  // A cell at the edge has no room for the form.
  #keepInSight(): void {
    const { style, classList } = this.#form;
    style.left = '';
    classList.remove('above');
    const room = this.#cell.element.closest('.grid')!.getBoundingClientRect();
    const box = this.#form.getBoundingClientRect();
    const over = Math.max(0, box.right + EDGE - room.right);
    if (over > 0) style.left = `${Math.max(-over, room.left + EDGE - box.left)}px`;
    classList.toggle('above', box.bottom > Math.min(room.bottom, innerHeight));
  }

  #press(event: KeyboardEvent): boolean {
    const { key, shiftKey, altKey, target } = event;
    const isInValue = target === this.#control.element;
    if (key === 'Escape') this.close(STAY);
    else if (key === 'F2') this.#toggleFoot();
    else if (key === 'Tab' && isInValue) this.#save({ rows: 0, columns: shiftKey ? -1 : 1 });
    else if (key === 'Enter' && (shiftKey || altKey)) return this.#control.breakLine();
    else if (key === 'Enter' && !(target instanceof HTMLButtonElement)) {
      this.#save({ rows: 1, columns: 0 });
    } else return false;
    return true;
  }

  // The user goes on elsewhere. What was refused stays open, and nothing is written over a
  // conflict.
  #leave(next: EventTarget | null): void {
    const isInside = next instanceof Node && this.#form.contains(next);
    if (isInside || this.#isSaving || this.#hasError || !document.hasFocus()) return;
    if (this.isChanged) this.#save(undefined);
    else this.close();
  }

  #toggleFoot(): void {
    this.#foot.hidden = !this.#foot.hidden;
    this.#more.ariaExpanded = String(!this.#foot.hidden);
    this.#keepInSight();
    if (this.#foot.hidden) this.focus();
    else this.#type.focus();
  }

  #showType(): void {
    const { value } = this.#control.value;
    const type = this.#type.value as EdmTypes;
    this.#control = new ValueControl({ type, value }, () => this.#keepInSight());
    this.#value.control = this.#control.element;
    this.#more.ariaLabel = `Type: ${type}`;
    this.#keepInSight();
  }

  #save(step: Step | undefined): void {
    if (this.isChanged || this.#hasError) this.#write(this.#control.value, step);
    else this.close(step);
  }

  /** Undefined removes the property. */
  #write(value: TypedValue | undefined, step: Step | undefined): void {
    if (this.#isSaving) return;
    this.#isSaving = true;
    this.#hasError = false;
    this.#value.showError(undefined);
    const { table, changes } = this.#options;
    const before = this.#entity;
    const after = withValue(before, this.#cell.name, value);
    const text = () => changeText(before.rowKey, 1, 'saved');
    changes.make({ table, edits: [{ before, after }], text }).then(
      () => this.close(step),
      (error: unknown) => this.#explain(error),
    );
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
    const entity = { partitionKey, rowKey, [this.#cell.name]: this.#control.value };
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
    this.#isSaving = false;
    this.#hasError = true;
    this.#value.showContent(content);
    this.#keepInSight();
    this.focus();
  }
}
