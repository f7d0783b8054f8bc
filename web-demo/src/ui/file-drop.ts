/**
 * Files that the user chooses, or drops anywhere onto the page.
 *
 * @module
 */

import { byId, elementRoot } from './dom.js';

export class FileDrop {
  readonly #input = byId('file-input', HTMLInputElement);
  readonly #hint = byId('drop-hint', HTMLElement);
  // While it is true, the explorer takes no file. It begins so, until the account is open.
  isBusy = true;

  constructor(onFile: (file: File) => void) {
    this.#input.addEventListener('change', () => {
      const file = this.#input.files?.[0];
      if (file) onFile(file);
      // The same file can be chosen again.
      this.#input.value = '';
    });
    const place = elementRoot() as Document;
    place.addEventListener('dragover', (event) => this.#hover(event));
    place.addEventListener('dragleave', ({ relatedTarget }) => {
      const isInside = relatedTarget instanceof Node && place.contains(relatedTarget);
      if (!isInside) this.#hint.hidden = true;
    });
    place.addEventListener('drop', (event) => {
      // Otherwise the browser would leave the page, and show the file.
      event.preventDefault();
      this.#hint.hidden = true;
      const file = event.dataTransfer?.files[0];
      if (file && this.#takes) onFile(file);
    });
  }

  /** Opens the dialog of the browser. */
  choose(): void {
    this.#input.click();
  }

  // A dialog that is open has unsaved input.
  get #takes(): boolean {
    return !this.isBusy && !elementRoot().querySelector('dialog[open]');
  }

  #hover(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = this.#takes ? 'copy' : 'none';
    this.#hint.hidden = !this.#takes;
  }
}
