/**
 * The choice of a language. The address has it, so that it survives a reload.
 *
 * @module
 */

import { byId, make } from '../ui/dom.js';
import { knownLanguage, OWN_TEXTS, type Language } from './own-texts.js';

const PARAMETER = 'language';

export class LanguagePicker {
  readonly #select = byId('language', HTMLSelectElement);

  constructor(onChange: (language: Language) => void) {
    const select = this.#select;
    const options = Object.entries(OWN_TEXTS).map(([language, { name }]) =>
      make('option', { value: language, lang: language }, name),
    );
    select.replaceChildren(...options);
    const asked = new URLSearchParams(location.search).get(PARAMETER);
    select.value = knownLanguage([...(asked === null ? [] : [asked]), ...navigator.languages]);
    select.addEventListener('change', () => {
      const address = new URL(location.href);
      address.searchParams.set(PARAMETER, select.value);
      history.replaceState(null, '', address);
      onChange(this.language);
    });
  }

  get language(): Language {
    return this.#select.value as Language;
  }
}
