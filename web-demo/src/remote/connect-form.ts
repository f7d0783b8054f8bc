/**
 * Asks for the address and the signature of an account. What it reads of the signature, it forgets.
 *
 * @module
 */

import { byId } from '../ui/dom.js';
import { errorContent } from '../ui/errors.js';
import { Field } from '../ui/field.js';
import { makeText } from '../ui/property-row.js';

/** An account, and what gives access to it. */
export interface Connection {
  readonly url: string;
  readonly sas: string;
}

export class ConnectForm {
  readonly #form = byId('connect', HTMLFormElement);
  readonly #start = byId('connect-start', HTMLButtonElement);
  readonly #error = byId('connect-error', HTMLElement);
  readonly #url = new Field('Address', makeText('', 'https://contoso.table.core.windows.net'));
  readonly #sas = new Field('Shared access signature', makeSecret());

  /** @param url - the address to begin with. */
  constructor(url: string, onConnect: (connection: Connection) => void) {
    byId('connect-fields', HTMLElement).append(this.#url.element, this.#sas.element);
    this.#url.control.value = url;
    this.#url.control.addEventListener('input', () => this.#moveSignature());
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.showError(undefined);
      onConnect({ url: this.#url.value.trim(), sas: this.#sas.value.trim() });
    });
  }

  set isHidden(isHidden: boolean) {
    this.#form.hidden = isHidden;
    // Nobody who comes by later finds it.
    if (isHidden) this.#sas.control.value = '';
  }

  /** Whether an account is being opened, which takes as long as its first answer. */
  set isBusy(isBusy: boolean) {
    this.#start.disabled = isBusy;
    this.#start.textContent = isBusy ? 'Connecting…' : 'Connect';
  }

  showError(error: unknown): void {
    this.#error.hidden = error === undefined;
    this.#error.replaceChildren(...(error === undefined ? [] : errorContent(error)));
  }

  // Portals show the address with the signature, which must not stay visible.
  #moveSignature(): void {
    const [address = '', query] = this.#url.value.split('?', 2);
    if (query === undefined) return;
    this.#url.control.value = address;
    if (query) this.#sas.control.value = query;
  }
}

// A password that no browser offers to keep.
function makeSecret(): HTMLInputElement {
  const input = makeText('', 'sv=…&sig=…');
  input.type = 'password';
  input.setAttribute('autocomplete', 'one-time-code');
  return input;
}
