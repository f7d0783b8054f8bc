/**
 * The tables, each with the number of its entities as far as it is known.
 *
 * @module
 */

import { displayCount } from '../display.js';
import { byId, make } from './dom.js';

export interface KnownCount {
  readonly count: number;
  /** False while counting goes on. */
  readonly isFinal: boolean;
}

// Tables are addresses in the page, so that a reload comes back to the same one. The
// slash keeps them apart from the ids of elements.
const PREFIX = '#/';

/** The table that the address of the page names. */
export function tableInAddress(): string | undefined {
  const { hash } = location;
  if (!hash.startsWith(PREFIX)) return undefined;
  try {
    return decodeURIComponent(hash.slice(PREFIX.length));
  } catch {
    // A malformed percent escape names no table.
    return undefined;
  }
}

/** Writes a table, or none, into the address without a step in the history. */
export function setTableInAddress(name: string | undefined): void {
  history.replaceState(null, '', name === undefined ? location.pathname : PREFIX + name);
}

export class TableList {
  readonly #list = byId('tables', HTMLUListElement);
  readonly #counts = new Map<string, KnownCount>();

  show(names: readonly string[], current: string | undefined): void {
    this.#list.replaceChildren(
      ...names.map((name) => {
        const link = make('a', { href: PREFIX + name }, make('span', {}, name), countOf(name));
        if (name === current) link.setAttribute('aria-current', 'page');
        return make('li', {}, link);
      }),
    );
    for (const name of this.#counts.keys()) this.#drawCount(name);
  }

  setCount(name: string, count: KnownCount): void {
    this.#counts.set(name, count);
    this.#drawCount(name);
  }

  /** So many are there at least; what is known to be more stays. */
  setLeast(name: string, count: number): void {
    if (count > (this.#counts.get(name)?.count ?? 0))
      this.setCount(name, { count, isFinal: false });
  }

  /** After a write that made so many entities more, or less. */
  addToCount(name: string, difference: number): void {
    const known = this.#counts.get(name);
    if (known) this.setCount(name, { ...known, count: known.count + difference });
  }

  clear(): void {
    this.#counts.clear();
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
