/**
 * The panel beside the grid: the chart of the query, its properties, its plan, or its code. Each is
 * loaded when it is opened first.
 *
 * @module
 */

import type { ChartState } from '../explorer/view-state.js';
import { lazy } from '../lazy.js';
import { byId, onClick } from './dom.js';
import { begin } from './notice.js';
import type { QueryFollower, QueryPanel, QuerySource } from './query-source.js';

/** A panel by the id of its element, and what loads it. */
type Loaders = Readonly<Record<string, () => Promise<QueryPanel>>>;

export class QueryPanels {
  readonly #place = byId('panel', HTMLElement);
  readonly #title = byId('panel-title', HTMLElement);
  readonly #loaders: Loaders;
  readonly #onChange: () => void;
  // Those that were opened once, and what they are about.
  readonly #followers: QueryFollower[] = [];
  readonly #panels = new Map<string, QueryPanel>();
  // Undefined before the first answer, and after a refusal.
  #source: QuerySource | undefined;
  #isRefused = false;
  #open: string | undefined;
  // What is being loaded, to be opened then.
  #coming: { id: string | undefined; choice: ChartState | undefined } | undefined;
  // A click before another one opens nothing.
  #clicks = 0;

  /** @param onChange - called when another panel is open, or the user chooses something in it. */
  constructor(loaders: Loaders, onChange: () => void) {
    this.#onChange = onChange;
    this.#loaders = Object.fromEntries(
      Object.entries(loaders).map(([id, load]) => [id, lazy(() => this.#load(id, load))]),
    );
    for (const id of Object.keys(loaders)) {
      const next = () => (id === this.#open ? undefined : id);
      onClick(`toggle-${id}`, () => begin(() => this.open(next())));
    }
    onClick('panel-close', () => {
      const toggle = byId(`toggle-${this.#open}`, HTMLElement);
      begin(() => this.open(undefined));
      (toggle.checkVisibility() ? toggle : byId('more', HTMLElement)).focus();
    });
  }

  /** The id of the open panel. */
  get opened(): string | undefined {
    return this.#coming ? this.#coming.id : this.#open;
  }

  /** What the user has chosen in the open panel. */
  get choice(): ChartState | undefined {
    if (this.#coming) return this.#coming.choice;
    return this.#open === undefined ? undefined : this.#panels.get(this.#open)?.choice;
  }

  /** Opens a panel instead of another one, or none. */
  async open(id: string | undefined, table = '', choice?: ChartState): Promise<void> {
    const click = ++this.#clicks;
    this.#coming = { id, choice };
    try {
      const panel = id === undefined ? undefined : await this.#loaders[id]?.();
      if (click === this.#clicks) this.#openPanel(id, panel, table, choice);
    } finally {
      if (click === this.#clicks) this.#coming = undefined;
    }
    if (click === this.#clicks) this.#onChange();
  }

  #openPanel(
    id: string | undefined,
    panel: QueryPanel | undefined,
    table: string,
    choice: ChartState | undefined,
  ): void {
    if (choice) panel?.restore?.(table, choice);
    const before = this.#open;
    this.#open = panel && id;
    if (before !== undefined && before !== this.#open) {
      this.#show(before, false);
      this.#panels.get(before)!.close();
    }
    this.#place.hidden = !panel;
    if (panel) {
      this.#show(id!, true);
      if (choice && this.#source) panel.show(this.#source);
      else panel.open();
    }
  }

  #show(id: string, isOpen: boolean): void {
    const element = byId(id, HTMLElement);
    element.hidden = !isOpen;
    if (isOpen) this.#title.textContent = element.ariaLabel;
    byId(`toggle-${id}`, HTMLElement).setAttribute('aria-expanded', String(isOpen));
  }

  async #load(id: string, load: () => Promise<QueryPanel>): Promise<QueryPanel> {
    const panel = await load();
    this.#panels.set(id, panel);
    this.follow(panel);
    return panel;
  }

  /** Adds what follows the query outside of the panel. */
  follow(follower: QueryFollower): void {
    this.#followers.push(follower);
    if (this.#source) follower.show(this.#source);
    else if (this.#isRefused) follower.clear?.();
  }

  /** Shows what is about the entities of a query. */
  show(source: QuerySource): void {
    this.#source = source;
    this.#isRefused = false;
    for (const follower of this.#followers) follower.show(source);
  }

  /** The query was refused: what the panels show is of an earlier one. */
  refuse(): void {
    this.#source = undefined;
    this.#isRefused = true;
    for (const follower of this.#followers) follower.clear?.();
  }

  /** Closes the panel, because the service has no answer for it. */
  close(): void {
    if (this.#open !== 'code-view') begin(() => this.open(undefined));
  }
}
