/**
 * The pets that are stored, also those of other tabs.
 *
 * @module
 */

import type { TableServiceClient } from 'entitable';
import type { Infer } from 'entitable/schema';

import { announce } from '../ui/announce.js';
import { byId, make, makeButton } from '../ui/dom.js';
import { begin } from '../ui/notice.js';
import { pets } from './pets.js';

type Pet = Infer<typeof pets>;

export class PetList {
  readonly #account: TableServiceClient;
  readonly #list = byId('pets', HTMLUListElement);
  readonly #title = byId('list-title', HTMLElement);

  constructor(account: TableServiceClient) {
    this.#account = account;
  }

  /** Shows every change, as long as the page is there. */
  async follow(): Promise<void> {
    for await (const stored of this.#account.table(pets).live()) this.#show(stored);
  }

  #show(stored: readonly Pet[]): void {
    byId('no-pets', HTMLElement).hidden = stored.length > 0;
    this.#list.hidden = stored.length === 0;
    this.#list.replaceChildren(...stored.map((pet) => this.#itemOf(pet)));
  }

  #itemOf(pet: Pet): HTMLElement {
    const { kind, name, weight, born, vaccinated } = pet;
    const facts = [
      ...[kind, `${weight} kg`, `born ${born.toISOString().slice(0, 10)}`],
      ...(vaccinated ? ['vaccinated'] : []),
    ];
    const remove = () => begin(() => this.#delete(pet));
    const label = { 'aria-label': `Delete ${name}`, class: 'quiet danger' };
    return make(
      'li',
      {},
      make('strong', {}, name),
      make('span', { class: 'facts' }, facts.join(' · ')),
      makeButton(label, remove, 'Delete'),
    );
  }

  async #delete(pet: Pet): Promise<void> {
    await this.#account.table(pets).delete(pet);
    announce(`${pet.name} was deleted.`);
    // The button that had the focus is gone.
    this.#title.focus();
  }
}
