/**
 * The fields of the entity dialog, with their values and errors.
 *
 * @module
 */

import type { EntityDraft, PropertyDraft } from '../entity-draft.js';
import type { FieldError, Place } from '../field-errors.js';
import { byId } from './dom.js';
import { Field } from './field.js';
import { makeText, PropertyRow } from './property-row.js';

export class EntityForm {
  readonly #keys = byId('entity-keys', HTMLElement);
  readonly #list = byId('entity-properties', HTMLUListElement);
  readonly #add = byId('add-property', HTMLButtonElement);
  #partitionKey = new Field('PartitionKey', makeText(''));
  #rowKey = new Field('RowKey', makeText(''));
  #rows: PropertyRow[] = [];

  constructor() {
    this.#keys.append(this.#partitionKey.element, this.#rowKey.element);
    this.#add.addEventListener('click', () => this.#addRow().name.control.focus());
  }

  /** @param isNew - whether the user can change the keys. */
  fill(draft: EntityDraft, isNew: boolean): void {
    for (const [field, value] of [
      [this.#partitionKey, draft.partitionKey],
      [this.#rowKey, draft.rowKey],
    ] as const) {
      field.control.value = value;
      (field.control as HTMLInputElement).readOnly = !isNew;
    }
    this.#rows = [];
    this.#list.replaceChildren();
    for (const property of draft.properties) this.#addRow(property);
    if (draft.properties.length === 0) this.#addRow();
    this.showErrors([]);
  }

  get draft(): EntityDraft {
    return {
      partitionKey: this.#partitionKey.value,
      rowKey: this.#rowKey.value,
      properties: this.#filled.map((row) => row.draft),
    };
  }

  get #filled(): PropertyRow[] {
    return this.#rows.filter(
      ({ isOptional, draft: { name, value } }) => value !== '' || (name !== '' && !isOptional),
    );
  }

  /** Moves the focus to the row key, which has to be another one. */
  selectRowKey(): void {
    const control = this.#rowKey.control as HTMLInputElement;
    control.focus();
    control.select();
  }

  /** Moves the focus to the first key that is empty, or to the first value. */
  focus(): void {
    const fields = [this.#partitionKey, this.#rowKey];
    const empty = fields.find(
      ({ control, value }) => value === '' && !(control as HTMLInputElement).readOnly,
    );
    (empty ?? this.#rows[0]?.value ?? this.#rowKey).control.focus();
  }

  /** Shows each error at its field, and moves the focus to the first of them. */
  showErrors(errors: readonly FieldError[]): void {
    this.#partitionKey.showError(undefined);
    this.#rowKey.showError(undefined);
    for (const row of this.#rows) row.clearErrors();
    const fields = errors.map(({ place, error }) => {
      const field = this.#fieldAt(place);
      field.showError(error);
      return field;
    });
    fields[0]?.control.focus();
  }

  #fieldAt(place: Place): Field {
    if (place.of !== 'property') {
      return place.of === 'partitionKey' ? this.#partitionKey : this.#rowKey;
    }
    return this.#filled[place.index]![place.part];
  }

  #addRow(draft?: PropertyDraft): PropertyRow {
    const row = new PropertyRow((removed) => this.#removeRow(removed), draft);
    this.#rows.push(row);
    this.#list.append(row.element);
    return row;
  }

  // The focus moves to the row that takes its place.
  #removeRow(row: PropertyRow): void {
    const index = this.#rows.indexOf(row);
    this.#rows.splice(index, 1);
    row.element.remove();
    const next = this.#rows[index]?.element.querySelector<HTMLElement>('.remove');
    (next ?? this.#add).focus();
  }
}
