/**
 * The dialog that adds, edits and deletes an entity.
 *
 * @module
 */

import { TableError, type TableClient } from 'entitable';

import { changeText } from '../changes/change.js';
import type { Changes } from '../changes/changes.js';
import { displayMs } from '../display.js';
import type { WhyNot } from '../explorer/home.js';
import { contentOf, draftOf, type EntityDraft } from '../entity-draft.js';
import { duplicateErrors, fieldErrorsOf, type FieldError } from '../field-errors.js';
import { isProperty } from '../grid/cell-range.js';
import type { GridColumn } from '../grid/column-layout.js';
import { readTypedEntity, type EntityContent, type TypedEntity } from '../typed-entity.js';
import { confirm } from './confirm.js';
import { byId, disable, make, makeButton } from './dom.js';
import { EntityForm } from './entity-form.js';
import { errorContent } from './errors.js';
import { begin } from './notice.js';

export class EntityDialog {
  readonly #dialog = byId('entity-dialog', HTMLDialogElement);
  readonly #title = byId('entity-title', HTMLElement);
  readonly #facts = byId('entity-facts', HTMLElement);
  readonly #error = byId('entity-error', HTMLElement);
  readonly #modes = byId('entity-modes', HTMLFieldSetElement);
  readonly #save = byId('entity-save', HTMLButtonElement);
  readonly #delete = byId('entity-delete', HTMLButtonElement);
  readonly #form = new EntityForm();
  readonly #whyNot: WhyNot;
  readonly #changes: Changes;

  #table!: TableClient;
  // As it was read; undefined for a new entity.
  #before: TypedEntity | undefined;

  constructor(whyNot: WhyNot, changes: Changes) {
    this.#whyNot = whyNot;
    this.#changes = changes;
    for (const id of ['entity-close', 'entity-cancel']) {
      byId(id, HTMLButtonElement).addEventListener('click', () => this.#dialog.close());
    }
    byId('entity-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      begin(() => this.#submit());
    });
    this.#delete.addEventListener('click', () => begin(() => this.#askToDelete()));
  }

  /** @param columns - what other entities have. What stays empty is left out. */
  openNew(table: TableClient, partitionKey: string, columns: readonly GridColumn[]): void {
    const properties = columns
      .filter(({ name }) => isProperty(name))
      .map(({ name, types: [type = 'String'] }) => ({ name, type, value: '', isOptional: true }));
    this.#begin(table, { partitionKey, rowKey: '', properties });
  }

  /** Opens a new entity that begins as this one. It needs another key. */
  openCopy(table: TableClient, entity: EntityContent): void {
    this.#begin(table, draftOf(entity));
    this.#form.selectRowKey();
  }

  #begin(table: TableClient, draft: EntityDraft): void {
    this.#table = table;
    this.#before = undefined;
    this.#form.fill(draft, true);
    this.#title.textContent = `Add an entity to ${table.tableName}`;
    this.#facts.textContent =
      'Two keys and up to 252 properties, each with a type of its own. What stays empty is left out.';
    this.#open();
  }

  /** @throws {@link TableError} if the entity cannot be read any more. */
  async openExisting(table: TableClient, partitionKey: string, rowKey: string): Promise<void> {
    this.#table = table;
    const start = performance.now();
    const entity = await readTypedEntity(table, { partitionKey, rowKey });
    const milliseconds = performance.now() - start;

    this.#before = entity;
    this.#form.fill(draftOf(entity), false);
    this.#title.textContent = `Edit ${rowKey || 'the entity'}`;
    this.#facts.replaceChildren(
      `Read in ${displayMs(milliseconds)} · etag `,
      make('code', {}, decodeURIComponent(entity.etag)),
    );
    this.#open();
  }

  #open(): void {
    const isNew = this.#before === undefined;
    this.#modes.hidden = isNew;
    this.#delete.hidden = isNew;
    this.#save.textContent = isNew ? 'Add' : 'Save';
    for (const [button, write] of [
      [this.#save, isNew ? 'insert' : 'update'],
      [this.#delete, 'delete'],
    ] as const) {
      const why = this.#whyNot(write);
      disable(button, why !== undefined, why);
    }
    this.#showError(undefined);
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#form.focus();
  }

  async #submit(): Promise<void> {
    const { draft } = this.#form;
    this.#showError(undefined);
    const duplicates = duplicateErrors(draft);
    if (duplicates.length > 0) return this.#showFieldErrors(duplicates);
    this.#form.showErrors([]);
    const content = contentOf(draft);
    try {
      await this.#write(this.#isMerge ? merged(this.#before!, content) : content);
    } catch (error) {
      this.#explain(error, draft);
    }
  }

  /** Undefined deletes the entity. */
  async #write(after: EntityContent | undefined): Promise<void> {
    const before = this.#before;
    const { rowKey } = (after ?? before)!;
    const verb = before ? (after ? 'saved' : 'deleted') : 'added';
    const text = () => changeText(rowKey, 1, verb);
    await this.#changes.make({ table: this.#table, edits: [{ before, after }], text });
    this.#dialog.close();
  }

  get #isMerge(): boolean {
    if (!this.#before) return false;
    return this.#modes.querySelector<HTMLInputElement>('input:checked')!.value === 'Merge';
  }

  async #askToDelete(): Promise<void> {
    const { draft } = this.#form;
    const isWanted = await confirm({
      title: 'Delete this entity?',
      text: `This deletes ${draft.rowKey} from the table ${this.#table.tableName}.`,
      action: 'Delete',
    });
    if (!isWanted) return;
    try {
      await this.#write(undefined);
    } catch (error) {
      this.#showError(error);
    }
  }

  #explain(error: unknown, draft: EntityDraft): void {
    const errors = error instanceof TableError ? fieldErrorsOf(draft, error) : [];
    if (errors.length > 0) this.#showFieldErrors(errors);
    else this.#showError(error);
  }

  // One line for screen readers. The focus goes to the first field.
  #showFieldErrors(errors: readonly FieldError[]): void {
    const fields = errors.length === 1 ? 'a field' : `${errors.length} fields`;
    const codes = [...new Set(errors.map(({ error }) => error.code))].join(', ');
    this.#error.replaceChildren(`Not saved. The service refuses ${fields}: ${codes}.`);
    this.#error.hidden = false;
    this.#form.showErrors(errors);
  }

  #showError(error: unknown): void {
    this.#error.hidden = error === undefined;
    this.#error.replaceChildren(...(error === undefined ? [] : errorContent(error)));
    const isStale = error instanceof TableError && error.code === 'UpdateConditionNotSatisfied';
    if (isStale) this.#error.append(' It has changed since you opened it. ', this.#reloader());
  }

  #reloader(): HTMLButtonElement {
    const { partitionKey, rowKey } = this.#form.draft;
    const reload = () =>
      void this.openExisting(this.#table, partitionKey, rowKey).catch((error: unknown) =>
        this.#showError(error),
      );
    return makeButton({}, reload, 'Show the current version');
  }
}

function merged(before: EntityContent, { properties }: EntityContent): EntityContent {
  return { ...before, properties: new Map([...before.properties, ...properties]) };
}
