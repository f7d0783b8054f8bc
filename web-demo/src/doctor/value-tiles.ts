/**
 * The values of the store, as tiles. A click damages one.
 *
 * @module
 */

import type { StorageKey } from 'entitable/storage/contract';

import { displaySize } from '../display.js';
import { byId, make, makeButton } from '../ui/dom.js';
import type { StoredValue } from './patient.js';

export class ValueTiles {
  readonly #list = byId('values', HTMLElement);
  readonly #tiles = new Map<StorageKey, HTMLButtonElement>();
  readonly #onPick: (key: StorageKey) => void;

  constructor(onPick: (key: StorageKey) => void) {
    this.#onPick = onPick;
  }

  /** Shows other values. All of them are intact. */
  show(values: readonly StoredValue[]): void {
    this.#tiles.clear();
    for (const value of values) this.#tiles.set(value.key, this.#tile(value));
    this.#list.replaceChildren(...[...this.#tiles.values()].map((tile) => make('li', {}, tile)));
  }

  /** The pages that are not damaged. */
  get intactPages(): StorageKey[] {
    return [...this.#tiles]
      .filter(([key, tile]) => /^pages\/\d/.test(key) && !tile.disabled)
      .map(([key]) => key);
  }

  markDamaged(key: StorageKey): void {
    const tile = this.#tiles.get(key)!;
    tile.disabled = true;
    tile.append(make('span', { class: 'damage' }, 'damaged'));
  }

  #tile({ key, bytes }: StoredValue): HTMLButtonElement {
    return makeButton(
      { class: `tile is-${key.split('/')[0]!}` },
      () => this.#onPick(key),
      make('code', {}, key),
      make('span', { class: 'size' }, displaySize(bytes)),
    );
  }
}
