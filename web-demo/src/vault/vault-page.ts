/**
 * Shows notes beside the bytes that are stored for them.
 *
 * @module
 */

import { TableError } from 'entitable';

import { displayCount, displaySize } from '../display.js';
import { announce } from '../ui/announce.js';
import { byId, make, makeButton, onClick } from '../ui/dom.js';
import { begin, hideNotice } from '../ui/notice.js';
import { emptyVault, valuesOnDisk, Vault, type Note, type StoredValue } from './vault.js';

// How many bytes of a value are shown.
const SHOWN_BYTES = 64;

export class VaultPage {
  readonly #unlock = byId('unlock', HTMLFormElement);
  readonly #passphrase = byId('passphrase', HTMLInputElement);
  readonly #wrong = byId('wrong', HTMLElement);
  readonly #open = byId('open-vault', HTMLElement);
  readonly #write = byId('write', HTMLFormElement);
  readonly #text = byId('text', HTMLInputElement);
  readonly #notes = byId('notes', HTMLElement);
  readonly #disk = byId('disk', HTMLElement);
  readonly #proof = byId('proof', HTMLElement);

  #vault: Vault | undefined;

  async start(): Promise<void> {
    this.#unlock.addEventListener('submit', (event) => {
      event.preventDefault();
      begin(() => this.#openVault());
    });
    this.#write.addEventListener('submit', (event) => {
      event.preventDefault();
      begin(() => this.#add());
    });
    onClick('lock', () => begin(() => this.#lock()));
    onClick('empty-vault', () => begin(() => this.#empty()));
    await this.#showDisk();
  }

  async #openVault(): Promise<void> {
    hideNotice();
    this.#wrong.hidden = true;
    this.#unlock.ariaBusy = 'true';
    try {
      this.#vault = await Vault.open(this.#passphrase.value);
    } catch (error) {
      const isWrong = error instanceof TableError && error.code === 'StorageKeyMismatch';
      if (!isWrong) throw error;
      this.#wrong.hidden = false;
      this.#passphrase.select();
      return;
    } finally {
      this.#unlock.ariaBusy = null;
    }
    this.#passphrase.value = '';
    this.#setOpen(true);
    announce('The notes are open.');
    this.#text.focus();
    await this.#show();
  }

  async #add(): Promise<void> {
    const text = this.#text.value.trim();
    if (!text || !this.#vault) return;
    await this.#vault.add(text);
    this.#text.value = '';
    await this.#show();
  }

  async #delete(note: Note): Promise<void> {
    await this.#vault?.delete(note);
    this.#text.focus();
    await this.#show();
  }

  async #lock(): Promise<void> {
    await this.#close();
    announce('The notes are locked.');
    await this.#showDisk();
  }

  async #empty(): Promise<void> {
    await this.#close();
    await emptyVault();
    announce('The notes are deleted.');
    await this.#showDisk();
  }

  async #close(): Promise<void> {
    const vault = this.#vault;
    this.#vault = undefined;
    this.#setOpen(false);
    this.#notes.replaceChildren();
    await vault?.lock();
    this.#passphrase.focus();
  }

  #setOpen(isOpen: boolean): void {
    this.#unlock.hidden = isOpen;
    this.#open.hidden = !isOpen;
  }

  async #show(): Promise<void> {
    const notes = (await this.#vault?.list()) ?? [];
    this.#notes.replaceChildren(...notes.map((note) => this.#item(note)));
    await this.#showDisk(notes);
  }

  #item(note: Note): HTMLLIElement {
    const remove = makeButton(
      { class: 'quiet', 'aria-label': `Delete ${note.text}` },
      () => begin(() => this.#delete(note)),
      'Delete',
    );
    return make('li', {}, make('span', {}, note.text), remove);
  }

  async #showDisk(notes: readonly Note[] = []): Promise<void> {
    const values = await valuesOnDisk();
    this.#disk.replaceChildren(...values.map(valueItem));
    this.#proof.textContent = proofOf(values, notes);
  }
}

function valueItem({ key, bytes }: StoredValue): HTMLLIElement {
  const hex = Array.from(bytes.subarray(0, SHOWN_BYTES), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  const rest = bytes.length > SHOWN_BYTES ? ' …' : '';
  const head = make('p', {}, make('code', {}, key), ` ${displaySize(bytes.length)}`);
  return make('li', {}, head, make('pre', {}, hex.join(' ') + rest));
}

/** Looks for the notes in all that is stored, as somebody would who has found the disk. */
function proofOf(values: readonly StoredValue[], notes: readonly Note[]): string {
  const total = values.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total === 0) return 'Nothing is stored yet.';
  const found = notes.filter(({ text }) => values.some(({ bytes }) => contains(bytes, text)));
  const place = `${displayCount(total)} bytes`;
  if (notes.length === 0) return `${place} are stored.`;
  return `${displayCount(found.length)} of ${displayCount(notes.length)} notes can be read in these ${place}.`;
}

function contains(bytes: Uint8Array, text: string): boolean {
  const wanted = new TextEncoder().encode(text);
  return bytes.some((_, at) => wanted.every((byte, offset) => bytes[at + offset] === byte));
}
