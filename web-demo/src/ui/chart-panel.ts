/**
 * The chart of the query on the screen: what it shows, the chart, and its figures as a table.
 *
 * @module
 */

import { readFigures, type Figures } from '../chart/figures.js';
import type { Plot } from '../chart/plot.js';
import type { ChartState } from '../explorer/view-state.js';
import { announce } from './announce.js';
import { ChartChoices } from './chart-choices.js';
import { byId, make, onClick } from './dom.js';
import { save } from './download.js';
import { errorContent } from './errors.js';
import { begin } from './notice.js';
import { QUERY_REFUSED, type QueryPanel, type QuerySource } from './query-source.js';

export class ChartPanel implements QueryPanel {
  readonly #panel = byId('chart', HTMLElement);
  readonly #error = byId('chart-error', HTMLElement);
  readonly #figure = byId('chart-figure', HTMLElement);
  readonly #title = byId('chart-title', HTMLElement);
  readonly #table = byId('chart-table', HTMLElement);
  readonly #savers = ['chart-save', 'chart-save-svg'].map((id) => byId(id, HTMLButtonElement));
  readonly #choices: ChartChoices;

  #source: QuerySource | undefined;
  #plot: Plot | undefined;
  #figures: Figures | undefined;
  // Ends the reading of figures that are out of date.
  #abort = new AbortController();

  /** @param onChoose - called when the user has chosen another chart. */
  constructor(onChoose: () => void) {
    this.#choices = new ChartChoices(() => {
      onChoose();
      begin(() => this.#draw());
    });
    onClick('chart-save', () => begin(async () => this.#save(await this.#plot!.image(), 'png')));
    onClick('chart-save-svg', () => begin(() => this.#saveSvg()));
  }

  /** Draws the chart for another query, if it is open. */
  show(source: QuerySource): void {
    this.#source = source;
    this.#choices.show(source);
    if (!this.#panel.hidden) begin(() => this.#draw());
  }

  clear(): void {
    this.#source = undefined;
    this.#abort.abort();
    this.#figure.ariaBusy = null;
    this.#error.hidden = true;
    this.#showNothing(`No chart: ${QUERY_REFUSED}`);
  }

  open(): void {
    begin(() => this.#draw());
  }

  close(): void {
    this.#abort.abort();
  }

  get choice(): ChartState | undefined {
    return this.#choices.chosen;
  }

  restore(table: string, choice: ChartState): void {
    this.#choices.restore(table, choice);
  }

  // Before the first result, there is nothing to draw.
  async #draw(): Promise<void> {
    if (!this.#source) return;
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const { table, filter } = this.#source;
    this.#figure.ariaBusy = 'true';
    try {
      const question = { table, filter, signal, ...this.#choices.choice };
      const figures = await readFigures(question);
      this.#plot ??= new (await import('../chart/plot.js')).Plot(byId('plot', HTMLElement));
      if (!signal.aborted) this.#show(figures);
    } catch (error) {
      if (!signal.aborted) this.#showError(error);
    }
    if (!signal.aborted) this.#figure.ariaBusy = null;
  }

  #show(figures: Figures): void {
    const isEmpty = figures.points.length === 0;
    this.#error.hidden = true;
    this.#title.textContent = isEmpty
      ? 'No entity has values for this chart.'
      : [figures.title, figures.note].filter(Boolean).join(' · ');
    this.#figures = figures;
    this.#plot!.show(isEmpty ? undefined : figures);
    this.#canSave = !isEmpty;
    this.#table.replaceChildren(tableOf(figures));
  }

  #showError(error: unknown): void {
    this.#error.replaceChildren(...errorContent(error));
    this.#error.hidden = false;
    this.#showNothing('No chart');
  }

  #showNothing(title: string): void {
    this.#title.textContent = title;
    this.#plot?.show(undefined);
    this.#canSave = false;
    this.#table.replaceChildren();
  }

  set #canSave(canSave: boolean) {
    for (const button of this.#savers) button.disabled = !canSave;
  }

  async #saveSvg(): Promise<void> {
    const { svgOf } = await import('../chart/svg.js');
    const svg = svgOf(this.#figures!, this.#plot!.style);
    this.#save(new Blob([svg], { type: 'image/svg+xml' }), 'svg');
  }

  #save(image: Blob, ending: string): void {
    const name = `${this.#source!.table.tableName}.${ending}`;
    save(image, name);
    announce(`The browser has the chart as ${name} now.`);
  }
}

function tableOf({ title, xTitle, yTitle, points }: Figures): HTMLTableElement {
  const rows = points.map(({ label, text }) =>
    make('tr', {}, make('th', { scope: 'row' }, label), make('td', { class: 'number' }, text)),
  );
  const head = [xTitle, yTitle].map((name) => make('th', { scope: 'col' }, name));
  return make(
    'table',
    {},
    make('caption', { class: 'visually-hidden' }, title),
    make('thead', {}, make('tr', {}, ...head)),
    make('tbody', {}, ...rows),
  );
}
