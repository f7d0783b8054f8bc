/**
 * Connects the parts of the page: the form, its entity, the JSON Schema, and the stored pets.
 *
 * @module
 */

import type { TableServiceClient } from 'entitable';
import { messagesFor, type BoundForm, type Messages } from 'entitable/forms';
import type { Infer } from 'entitable/schema';

import { openPageAccount } from '../account.js';
import { byId, make } from '../ui/dom.js';
import { begin, hideNotice } from '../ui/notice.js';
import { EntityPanel } from './entity-panel.js';
import { highlighted } from './highlight.js';
import { LanguagePicker } from './language-picker.js';
import { ownTexts, setLanguage, type Language } from './own-texts.js';
import { bindPetForm } from './pet-form.js';
import formCode from './pet-form.ts?raw';
import { PetList } from './pet-list.js';
import { pets } from './pets.js';
import tableCode from './pets.ts?raw';
import { example, fillIn, mistakes } from './samples.js';
import { SchemaPanel } from './schema-panel.js';
import { isRequired, typesOf } from './types.js';

const SCHEMA = pets.jsonSchema();

// The controls that are empty at first.
const TYPED = [...['kind', 'name', 'owner', 'born', 'visit', 'weight', 'coat', 'chip', 'notes']];

export class FormPage {
  readonly #form = byId('pet-form', HTMLFormElement);
  readonly #summary = byId('summary', HTMLElement);
  readonly #draftState = byId('draft-state', HTMLElement);
  readonly #languages = new LanguagePicker((language) => begin(() => this.#speak(language)));
  readonly #entity = new EntityPanel(this.#form);
  readonly #schema = new SchemaPanel(SCHEMA);

  // Set by start(), before the form can be used.
  #account!: TableServiceClient;
  #bound!: BoundForm<typeof pets.properties>;
  #messages!: Promise<Messages>;
  /** The pet that was stored just now. */
  #stored = '';

  /** Shows the page, opens the account, and binds the form. */
  async start(): Promise<void> {
    byId('table-code', HTMLElement).replaceChildren(...highlighted(tableCode.trimEnd()));
    byId('form-code', HTMLElement).replaceChildren(...highlighted(formCode.trimEnd()));
    this.#showTypes();
    this.#account = await openPageAccount();
    await this.#account.openTables({ pets });
    this.#useLanguage(this.#languages.language);
    this.#newTag();
    this.#bind();
    this.#listen();
    begin(() => new PetList(this.#account).follow());
    await this.#bound.ready;
    this.#form.inert = false;
    if (this.#hasInput()) this.#say('Your draft is back.', true);
    else this.#say('What you type is kept as a draft.');
    this.#refresh();
  }

  // ------------------------------------------------------------------ binding

  #bind(): void {
    this.#bound = bindPetForm(this.#form, {
      account: this.#account,
      messages: this.#messages,
      summary: this.#summary,
      onStored: (pet) => this.#onStored(pet),
    });
  }

  #useLanguage(language: Language): void {
    setLanguage(language);
    this.#messages = messagesFor([language]);
    // Screen readers choose a voice by it.
    for (const place of this.#form.querySelectorAll('[data-error]')) {
      place.setAttribute('lang', language);
    }
    byId('pet-name', HTMLInputElement).title = ownTexts().nameForm;
  }

  /** Binds the form again, with the messages of another language where there were some. */
  async #speak(language: Language): Promise<void> {
    const wasSubmitted = this.#summary.querySelector('a') !== null;
    const wrong = [...this.#form.querySelectorAll('[aria-invalid="true"]')];
    this.#bound.unbind();
    this.#useLanguage(language);
    this.#bind();
    // So the form stays as it is: what was typed is newer than the draft.
    if (this.#hasInput()) {
      for (const control of this.#form.querySelectorAll('input, textarea, select')) {
        control.dispatchEvent(new Event('input', { bubbles: true }));
      }
    }
    const left = () => new FocusEvent('focusout', { bubbles: true });
    for (const control of wrong) control.dispatchEvent(left());
    await this.#bound.ready;
    if (wasSubmitted) await this.#bound.validate();
    this.#refresh();
  }

  // ------------------------------------------------------------------- events

  #listen(): void {
    const form = this.#form;
    form.addEventListener('input', () => {
      this.#say('Kept as a draft.');
      this.#refresh();
    });
    form.addEventListener('focusin', ({ target }) =>
      this.#schema.mark((target as HTMLInputElement).name),
    );
    // The bound form reads its controls in a timer, which comes before this one.
    document.addEventListener('reset', () => setTimeout(() => this.#wasReset()));
    new MutationObserver(() => this.#showBusy()).observe(form, { attributeFilter: ['aria-busy'] });
    const onClick = (id: string, work: () => void) =>
      byId(id, HTMLButtonElement).addEventListener('click', work);
    onClick('fill-example', () => fillIn(form, example()));
    onClick('fill-mistakes', () => begin(() => this.#showMistakes()));
    onClick('reload', () => location.reload());
  }

  async #showMistakes(): Promise<void> {
    fillIn(this.#form, mistakes());
    await this.#bound.validate();
    this.#summary.scrollIntoView({ block: 'nearest' });
  }

  #onStored({ name }: Infer<typeof pets>): void {
    hideNotice();
    this.#newTag();
    this.#form.reset();
    this.#stored = name;
  }

  #wasReset(): void {
    if (this.#stored) {
      this.#say(`${this.#stored} is registered.`, true);
      // The next pet begins at the top.
      byId('form-title', HTMLElement).focus();
    } else {
      this.#say('The form is empty, and so is the draft.');
    }
    this.#stored = '';
    this.#refresh();
  }

  #newTag(): void {
    const tag = crypto.randomUUID();
    (this.#form.elements.namedItem('tag') as HTMLInputElement).value = tag;
    byId('tag-shown', HTMLElement).textContent = tag;
  }

  // -------------------------------------------------------------------- shown

  #hasInput(): boolean {
    const data = new FormData(this.#form);
    return TYPED.some((name) => data.get(name));
  }

  #say(text: string, isSuccess = false): void {
    if (this.#draftState.textContent !== text) this.#draftState.textContent = text;
    this.#draftState.classList.toggle('is-success', isSuccess);
  }

  #showBusy(): void {
    const isBusy = this.#form.hasAttribute('aria-busy');
    byId('checking', HTMLElement).textContent = isBusy ? 'Checking…' : '';
    if (!isBusy) this.#refresh();
  }

  #refresh(): void {
    byId('energy-shown', HTMLElement).textContent = byId('pet-energy', HTMLInputElement).value;
    begin(() => this.#entity.refresh(this.#languages.language));
  }

  // Beside each label: the property, and its type.
  #showTypes(): void {
    const types = typesOf(SCHEMA);
    for (const shown of document.querySelectorAll('.property')) {
      const name = shown.textContent ?? '';
      const type = types.get(name)!;
      const mark = isRequired(SCHEMA, name) ? ' ' : '? ';
      shown.append(mark, make('span', { class: `type type-${type.toLowerCase()}` }, type));
    }
  }
}
