/**
 * The dialog that adds, edits and deletes an entity.
 *
 * @module
 */

import { TableError, type TableClient, type UpdateMode } from 'entitable';

import { displayMs } from '../display.js';
import type { EntityChange } from '../entity-change.js';
import type { WhyNot } from '../explorer/home.js';
import { draftOf, toEntity, type EntityDraft } from '../entity-draft.js';
import { duplicateErrors, fieldErrorsOf, type FieldError } from '../field-errors.js';
import { readTypedEntity } from '../typed-entity.js';
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
  readonly #onChange: (change: EntityChange) => void;

  #table!: TableClient;
  // The etag of the entity when it was read; undefined for a new entity.
  #etag: string | undefined;
  // The entity as it was read.
  #before: EntityDraft | undefined;

  constructor(whyNot: WhyNot, onChange: (change: EntityChange) => void) {
    this.#whyNot = whyNot;
    this.#onChange = onChange;
    for (const id of ['entity-close', 'entity-cancel']) {
      byId(id, HTMLButtonElement).addEventListener('click', () => this.#dialog.close());
    }
    byId('entity-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      begin(() => this.#submit());
    });
    this.#delete.addEventListener('click', () => begin(() => this.#askToDelete()));
  }

  openNew(table: TableClient, partitionKey: string): void {
    this.#table = table;
    this.#etag = undefined;
    this.#form.fill({ partitionKey, rowKey: '', properties: [] }, true);
    this.#title.textContent = `Add an entity to ${table.tableName}`;
    this.#facts.textContent = 'Two keys and up to 252 properties, each with a type of its own.';
    this.#open();
  }

  /** @throws {@link TableError} if the entity cannot be read any more. */
  async openExisting(table: TableClient, partitionKey: string, rowKey: string): Promise<void> {
    this.#table = table;
    const start = performance.now();
    const entity = await readTypedEntity(table, { partitionKey, rowKey });
    const milliseconds = performance.now() - start;

    this.#etag = entity.etag;
    this.#before = draftOf(entity);
    this.#form.fill(this.#before, false);
    this.#title.textContent = `Edit ${rowKey || 'the entity'}`;
    this.#facts.replaceChildren(
      `Read in ${displayMs(milliseconds)} · etag `,
      make('code', {}, decodeURIComponent(entity.etag)),
    );
    this.#open();
  }

  #open(): void {
    const isNew = this.#etag === undefined;
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
    try {
      const undo = await this.#write(draft);
      this.#finish(this.#etag === undefined ? 'added' : 'saved', draft, undo);
    } catch (error) {
      this.#explain(error, draft);
    }
  }

  // Returns what undoes it.
  async #write(draft: EntityDraft): Promise<() => Promise<void>> {
    const table = this.#table;
    const entity = toEntity(draft);
    if (this.#etag === undefined) {
      const { etag } = await table.createEntity(entity);
      return async () =>
        void (await table.deleteEntity(draft.partitionKey, draft.rowKey, { etag }));
    }
    const before = toEntity(this.#before!);
    const { etag } = await table.updateEntity(entity, this.#mode(), { etag: this.#etag });
    return async () => void (await table.updateEntity(before, 'Replace', { etag }));
  }

  #mode(): UpdateMode {
    const chosen = this.#modes.querySelector<HTMLInputElement>('input:checked');
    return chosen?.value as UpdateMode;
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
      const { partitionKey, rowKey } = draft;
      await this.#table.deleteEntity(partitionKey, rowKey, { etag: this.#etag });
      const [table, before] = [this.#table, toEntity(this.#before!)];
      this.#finish('deleted', draft, async () => void (await table.createEntity(before)));
    } catch (error) {
      this.#showError(error);
    }
  }

  #finish(
    kind: EntityChange['kind'],
    { partitionKey, rowKey }: EntityDraft,
    undo: () => Promise<void>,
  ): void {
    this.#dialog.close();
    const keys = { partitionKey, rowKey };
    const { tableName: table } = this.#table;
    this.#onChange({ kind, table, subject: rowKey, count: 1, keys, undo });
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
