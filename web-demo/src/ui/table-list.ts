/**
 * The tables, each with the known number of its entities.
 *
 * @module
 */

import { displayCount } from '../display.js';
import { hashOf } from '../explorer/view-state.js';
import { byId, make } from './dom.js';

export interface KnownCount {
  readonly count: number;
  /** False during a load: there may be more. */
  readonly isFinal: boolean;
}

export class TableList {
  readonly #list = byId('tables', HTMLUListElement);
  /** Called with the table of a click; without it, the table is put into the address. */
  onChoose: ((name: string) => void) | undefined;
  readonly #counts = new Map<string, KnownCount>();

  show(names: readonly string[], current: string | undefined): void {
    this.#list.replaceChildren(
      ...names.map((name) => {
        const href = hashOf({ table: name });
        const link = make('a', { href }, make('span', {}, name), countOf(name));
        if (name === current) link.setAttribute('aria-current', 'page');
        link.addEventListener('click', (event) => this.#choose(event, name));
        return make('li', {}, link);
      }),
    );
    for (const name of this.#counts.keys()) this.#drawCount(name);
  }

  setCount(name: string, count: KnownCount): void {
    this.#counts.set(name, count);
    this.#drawCount(name);
  }

  /** Raises the count to a number that is surely there. */
  setLeast(name: string, count: number): void {
    if (count > (this.#counts.get(name)?.count ?? 0))
      this.setCount(name, { count, isFinal: false });
  }

  /** Changes the count after a write. */
  addToCount(name: string, difference: number): void {
    const known = this.#counts.get(name);
    if (known) this.setCount(name, { ...known, count: known.count + difference });
  }

  /** Forgets the count of a table. */
  forget(name: string): void {
    this.#counts.delete(name);
  }

  clear(): void {
    this.#counts.clear();
  }

  #choose(event: MouseEvent, name: string): void {
    if (!this.onChoose) return;
    event.preventDefault();
    this.onChoose(name);
  }

  #drawCount(name: string): void {
    const shown = this.#list.querySelector(`[data-count-of="${name}"]`);
    if (!shown) return;
    const known = this.#counts.get(name);
    shown.textContent = known ? `${displayCount(known.count)}${known.isFinal ? '' : '+'}` : '';
  }
}

function countOf(name: string): HTMLElement {
  return make('span', { class: 'count', 'data-count-of': name });
}
