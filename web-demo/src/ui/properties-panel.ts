/**
 * The properties of the query's entities: their types, how many entities have them, their ends, and
 * a small picture of their values.
 *
 * @module
 */

import { valueLabel } from '../chart/groups.js';
import { displayCount, displayNumber, displaySize, shortened } from '../display.js';
import { readProfiles, type Profile } from '../profile/profile.js';
import type { TypedEntity } from '../typed-entity.js';
import { byId, make, makeSvg } from './dom.js';
import { errorContent } from './errors.js';
import { begin } from './notice.js';
import { QUERY_REFUSED, type QueryPanel, type QuerySource } from './query-source.js';

const PICTURE_HEIGHT = 24;
const BAR_WIDTH = 6;

// Of the values that occur most, so many are named.
const NAMED_VALUES = 3;

const MAX_LETTERS = 24;
const MAX_NAME = 40;

export class PropertiesPanel implements QueryPanel {
  readonly #panel = byId('properties', HTMLElement);
  readonly #title = byId('properties-title', HTMLElement);
  readonly #error = byId('properties-error', HTMLElement);
  readonly #rows = byId('properties-rows', HTMLElement);

  #source: QuerySource | undefined;
  // Ends the reading of figures that are out of date.
  #abort = new AbortController();

  /** Shows the properties of another query, if the panel is open. */
  show(source: QuerySource): void {
    this.#source = source;
    if (!this.#panel.hidden) begin(() => this.#read());
  }

  clear(): void {
    this.#source = undefined;
    this.#abort.abort();
    this.#panel.ariaBusy = null;
    this.#error.hidden = true;
    this.#showNothing(`No figures: ${QUERY_REFUSED}`);
  }

  open(): void {
    begin(() => this.#read());
  }

  close(): void {
    this.#abort.abort();
  }

  // Before the first result, there is nothing to read.
  async #read(): Promise<void> {
    if (!this.#source) return;
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const { total, entities } = this.#source;
    this.#panel.ariaBusy = 'true';
    this.#error.hidden = true;
    try {
      const rows: Node[] = [];
      for await (const profile of readProfiles({ ...this.#source, signal })) {
        // Others have it.
        if (profile.count > 0) rows.push(rowOf(profile, total, entities));
      }
      if (!signal.aborted) this.#show(rows);
    } catch (error) {
      if (!signal.aborted) this.#showError(error);
    }
    if (!signal.aborted) this.#panel.ariaBusy = null;
  }

  #show(rows: readonly Node[]): void {
    const { total, entities } = this.#source!;
    const each = meanOf(entities.map(sizeOf));
    this.#title.textContent =
      `${displayCount(total)} entities of about ${displaySize(Math.round(each))} as JSON, ` +
      `${displaySize(Math.round(each * total))} in all`;
    this.#rows.replaceChildren(...rows);
  }

  #showError(error: unknown): void {
    this.#error.replaceChildren(...errorContent(error));
    this.#error.hidden = false;
    this.#showNothing('No figures');
  }

  #showNothing(title: string): void {
    this.#title.textContent = title;
    this.#rows.replaceChildren();
  }
}

function rowOf(profile: Profile, total: number, entities: readonly TypedEntity[]): Node {
  const { column, count, distinct, least, greatest } = profile;
  const sizes = entities.flatMap(
    ({ properties }) => properties.get(column.name)?.value.length ?? [],
  );
  // As in the head of the table, which only screen readers show.
  const cells = {
    Types: [...column.types].join(', '),
    Entities: percent(count, total),
    Different: distinct === undefined ? 'many' : displayCount(distinct),
    Least: shortened(endText(least), MAX_LETTERS),
    Greatest: shortened(endText(greatest), MAX_LETTERS),
    Letters: displayCount(Math.round(meanOf(sizes))),
  };
  return make(
    'tr',
    {},
    make('th', { scope: 'row' }, column.name),
    ...Object.entries(cells).map(([name, text]) => make('td', { 'data-name': name }, text)),
    make('td', {}, ...pictureOf(profile)),
  );
}

function pictureOf({ bars, isOrdered }: Profile): (Node | string)[] {
  if (bars.length === 0) return ['–'];
  const most = Math.max(...bars.map(({ count }) => count));
  const named = isOrdered
    ? [`${bars[0]!.label} to ${bars.at(-1)!.label}`]
    : bars.slice(0, NAMED_VALUES).map(({ label, count }) => `${label} ${displayCount(count)}`);
  const size = { width: bars.length * BAR_WIDTH, height: PICTURE_HEIGHT };
  const label = bars.map((bar) => `${bar.label}: ${bar.count}`).join(', ');
  const rects = bars.map(({ count }, at) => {
    const height = count === 0 ? 0 : Math.max(1, (count / most) * PICTURE_HEIGHT);
    const place = { x: at * BAR_WIDTH, y: PICTURE_HEIGHT - height };
    return makeSvg('rect', { ...place, width: BAR_WIDTH - 1, height });
  });
  const text = named.map((name) => shortened(name, MAX_NAME)).join(', ');
  return [
    makeSvg('svg', { ...size, role: 'img', 'aria-label': label }, ...rects),
    make('span', { class: 'profile-values' }, text),
  ];
}

// NaN alone has no ends.
function endText(value: unknown): string {
  if (value === null) return '–';
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return isNumber ? displayNumber(value) : valueLabel(value);
}

function percent(part: number, whole: number): string {
  if (part === whole) return '100 %';
  // Not 100, if one is missing, and not 0, if one is there.
  return `${Math.min(99.9, Math.max(0.1, (100 * part) / whole)).toFixed(1)} %`;
}

function sizeOf({ partitionKey, rowKey, properties }: TypedEntity): number {
  const values = Array.from(properties, ([name, { value }]) => [name, value]);
  return JSON.stringify({ partitionKey, rowKey, ...Object.fromEntries(values) }).length;
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}
