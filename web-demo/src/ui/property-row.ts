/**
 * A property in the form: name, type and value.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import type { PropertyDraft } from '../entity-draft.js';
import { EDM_TYPES } from '../typed-entity.js';
import { make, makeButton } from './dom.js';
import { Field, type Control } from './field.js';

// An example for each type. String and Boolean need none.
const SAMPLES: Partial<Record<EdmTypes, string>> = {
  Int32: '42',
  Int64: '9007199254740993',
  Double: '6.1',
  DateTime: '2010-06-18T00:00:00Z',
  Guid: 'a455c695-df98-5678-aaaa-81d3367e5a34',
  Binary: 'Base64, such as 3q2+7w==',
};

const EMPTY: PropertyDraft = { name: '', type: 'String', value: '' };

export class PropertyRow {
  readonly element: HTMLLIElement;
  readonly name: Field;
  readonly value: Field;
  readonly #type: HTMLSelectElement;

  /** Whether it is left out if it is empty. */
  readonly isOptional: boolean;

  constructor(onRemove: (row: PropertyRow) => void, draft: PropertyDraft = EMPTY) {
    const { name, type, value, isOptional = false } = draft;
    this.isOptional = isOptional;
    this.name = new Field('Name', makeText(name));
    this.#type = makeSelect(EDM_TYPES, type);
    this.#type.addEventListener('change', () => {
      this.value.control = makeControl(this.type, this.value.value, isOptional);
    });
    this.value = new Field('Value', makeControl(type, value, isOptional));
    const remove = makeButton(
      { class: 'quiet remove', 'aria-label': 'Remove this property', title: 'Remove' },
      () => onRemove(this),
      '×',
    );
    this.element = make(
      'li',
      { class: 'property' },
      this.name.element,
      new Field('Type', this.#type).element,
      this.value.element,
      remove,
    );
  }

  get type(): EdmTypes {
    return this.#type.value as EdmTypes;
  }

  get draft(): PropertyDraft {
    return { name: this.name.value, type: this.type, value: this.value.value };
  }

  clearErrors(): void {
    this.name.showError(undefined);
    this.value.showError(undefined);
  }
}

/** A control for a value of this type. */
export function makeControl(type: EdmTypes, value: string, isOptional = false): Control {
  const none = isOptional ? [''] : [];
  if (type === 'Boolean') return makeSelect([...none, 'true', 'false'], value);
  if (type === 'String') return makeTextArea(value);
  return makeText(value, SAMPLES[type]);
}

/** A line of text without the corrections of the browser, which would change names and keys. */
export function makeText(value: string, placeholder = ''): HTMLInputElement {
  const input = make('input', {
    type: 'text',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    placeholder,
  });
  input.value = value;
  return input;
}

// An <input> would drop line breaks silently.
function makeTextArea(value: string): HTMLTextAreaElement {
  const area = make('textarea', { rows: '1', autocapitalize: 'off', spellcheck: 'false' });
  area.value = value;
  return area;
}

/** A list of choices. */
export function makeSelect(choices: readonly string[], value: string): HTMLSelectElement {
  const select = make('select', {}, ...choices.map((choice) => make('option', {}, choice)));
  if (choices.includes(value)) select.value = value;
  return select;
}
