/**
 * How the file of an import is read: what was guessed, and what the user chooses instead.
 *
 * @module
 */

import { SEPARATORS } from '../../../js/src/formats/csv-form.js';
import {
  DAYS,
  numberIn,
  quoteText,
  readingText,
  separatorText,
  type FileChoices,
  type FileReading,
} from '../../../js/src/formats/reading.js';
import { ENCODINGS, type Encoding } from '../../../js/src/formats/text-encoding.js';
import type { KnownForms, TextForms } from '../../../js/src/formats/text-forms.js';
import { byId, make } from './dom.js';
import { Field } from './field.js';
import { makeSelect, makeText } from './property-row.js';

const TITLE = 'How the file is read';

const QUOTES = ['"', "'", ''];
const NAMES = 'Names of the columns';
const AS_IS = 'As they are';
const GUARDED = 'Without the apostrophe before them';

/** A list of choices, whose first one is to guess. */
class Guess {
  readonly field: Field;
  readonly #first = make('option', { value: '' }, 'Guessed');
  readonly #select: HTMLSelectElement;

  constructor(label: string, values: readonly string[], textOf: (value: string) => string) {
    const options = values.map((value) => make('option', { value }, textOf(value)));
    this.#select = make('select', {}, this.#first, ...options);
    this.field = new Field(label, this.#select);
  }

  /** Undefined: it is guessed. */
  get chosen(): string | undefined {
    return this.#select.selectedIndex > 0 ? this.#select.value : undefined;
  }

  show(guess: string): void {
    if (this.chosen === undefined) this.#first.textContent = `Guessed: ${guess}`;
  }

  reset(): void {
    this.#select.selectedIndex = 0;
    this.#first.textContent = 'Guessed';
  }
}

export class ReadingForm {
  readonly #title = byId('import-reading-title', HTMLElement);
  readonly #encoding = new Guess('Encoding', ENCODINGS, (name) => name);
  readonly #separator = new Guess('Between values', Object.keys(SEPARATORS), separatorText);
  readonly #decimal = new Guess('Numbers', ['.', ','], (decimal) =>
    numberIn({ decimal: decimal as TextForms['decimal'], hasGroups: true, dates: 'ymd' }),
  );
  readonly #dates = new Guess('Days', Object.keys(DAYS), (order) => DAYS[order as 'ymd']);
  readonly #quote = new Field('Around values', makeSelect(QUOTES.map(quoteText), ''));
  readonly #header = new Field('First line', makeSelect([NAMES, 'Values'], ''));
  readonly #missing = new Field('Missing values', makeText('', 'as in: NULL, NA'));
  readonly #formulas = new Field('Formulas', makeSelect([AS_IS, GUARDED], ''));
  #reported = '';
  // JSON has the forms of JSON.
  readonly #ofCsv = [
    ...[this.#separator, this.#decimal, this.#dates].map(({ field }) => field),
    ...[this.#quote, this.#header, this.#missing, this.#formulas],
  ].map(({ element }) => element);

  /** @param onChange - called when the user has chosen something. */
  constructor(onChange: () => void) {
    const fields = byId('import-reading-fields', HTMLElement);
    fields.append(this.#encoding.field.element, ...this.#ofCsv);
    // A text field may report the same change twice.
    fields.addEventListener('change', () => {
      const before = this.#reported;
      this.#reported = JSON.stringify(this.choices);
      if (this.#reported !== before) onChange();
    });
  }

  /** What the user has chosen. The rest is guessed, or as usual. */
  get choices(): { readonly file: FileChoices; readonly forms: KnownForms } {
    const separator = this.#separator.chosen;
    return {
      file: {
        encoding: this.#encoding.chosen as Encoding | undefined,
        form: {
          ...(separator !== undefined && { separator }),
          quote: QUOTES[(this.#quote.control as HTMLSelectElement).selectedIndex]!,
        },
        hasHeader: this.#header.value === NAMES,
        missing: this.#missing.value
          .split(',')
          .map((text) => text.trim())
          .filter(Boolean),
        isGuarded: this.#formulas.value === GUARDED,
      },
      forms: {
        decimal: this.#decimal.chosen as KnownForms['decimal'],
        dates: this.#dates.chosen as KnownForms['dates'],
      },
    };
  }

  /** Begins with another file. */
  reset(): void {
    for (const one of [this.#encoding, this.#separator, this.#decimal, this.#dates]) one.reset();
    for (const { control } of [this.#quote, this.#header, this.#formulas]) {
      (control as HTMLSelectElement).selectedIndex = 0;
    }
    this.#missing.control.value = '';
    this.#reported = JSON.stringify(this.choices);
    this.#title.textContent = TITLE;
    for (const element of this.#ofCsv) element.hidden = false;
  }

  /** Shows how the file was read. */
  show(reading: FileReading, forms: TextForms): void {
    const { encoding, form } = reading;
    this.#title.textContent = `${TITLE}: ${readingText(reading, forms)}`;
    this.#encoding.show(encoding);
    for (const element of this.#ofCsv) element.hidden = form === undefined;
    if (form) this.#separator.show(separatorText(form.separator));
    this.#decimal.show(numberIn(forms));
    this.#dates.show(DAYS[forms.dates]);
  }
}
