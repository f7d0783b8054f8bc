/**
 * The parts of the page that follow the query, such as the chart. Each is loaded when it is opened
 * first.
 *
 * @module
 */

import { lazy } from '../lazy.js';
import { onClick } from './dom.js';
import { begin } from './notice.js';
import type { QueryPanel, QuerySource } from './query-source.js';

export class QueryPanels {
  // Those that were opened once, and what they are about.
  readonly #panels: QueryPanel[] = [];
  // Undefined before the first answer, and after a refusal.
  #source: QuerySource | undefined;
  #isRefused = false;
  // How often they were closed: a click before the last time opens nothing.
  #closings = 0;

  /** Adds a panel with a button `toggle-` and its id. */
  addToggled(id: string, load: () => Promise<QueryPanel>): void {
    const open = this.add(load);
    const toggle = async () => {
      const closings = this.#closings;
      const panel = await open();
      if (closings === this.#closings) panel.toggle();
    };
    onClick(`toggle-${id}`, () => begin(toggle));
  }

  /** Returns what loads the panel. */
  add(load: () => Promise<QueryPanel>): () => Promise<QueryPanel> {
    return lazy(async () => {
      const panel = await load();
      this.#panels.push(panel);
      if (this.#source) panel.show(this.#source);
      else if (this.#isRefused) panel.clear?.();
      return panel;
    });
  }

  /** Shows what is about the entities of a query. */
  show(source: QuerySource): void {
    this.#source = source;
    this.#isRefused = false;
    for (const panel of this.#panels) panel.show(source);
  }

  /** The query was refused: what the panels show is of an earlier one. */
  refuse(): void {
    this.#source = undefined;
    this.#isRefused = true;
    for (const panel of this.#panels) panel.clear?.();
  }

  close(): void {
    this.#closings++;
    for (const panel of this.#panels) panel.close();
  }
}
