/**
 * How the store has found the entities of the query, in words and as bars.
 *
 * @module
 */

import type { QueryPlan } from 'entitable';

import { displayCount } from '../display.js';
import { byId, make, makeSvg } from './dom.js';
import { errorContent } from './errors.js';
import { begin } from './notice.js';
import { QUERY_REFUSED, type QueryPanel, type QuerySource } from './query-source.js';

/** What the conditions on keys leave. */
const ACCESS: Readonly<Record<Exclude<QueryPlan['access'], 'index'>, string>> = {
  nothing: 'No entity can have the keys of the filter, so nothing was read.',
  point: 'The filter names the keys of one entity.',
  'row range': 'The filter limits the keys to a part of a partition.',
  'partition scan': 'The filter limits the keys to one partition.',
  'partition range': 'The filter limits the keys to some partitions.',
  'table scan': 'The filter does not limit the keys, so each page of the table counts.',
};

const OF_A_SEARCH =
  'The search has compared words: of an index, if the property has an index of its words, or else ' +
  'of the texts of all entities. The filter has left out entities after that.';

export class PlanView implements QueryPanel {
  readonly #view = byId('plan', HTMLElement);
  readonly #text = byId('plan-text', HTMLElement);
  readonly #bars = byId('plan-bars', HTMLElement);

  #source: QuerySource | undefined;
  #abort = new AbortController();

  /** Explains another query, if the view is open. */
  show(source: QuerySource): void {
    this.#source = source;
    if (!this.#view.hidden) this.open();
  }

  clear(): void {
    this.#source = undefined;
    this.#abort.abort();
    this.#say(`Nothing was read: ${QUERY_REFUSED}`);
  }

  open(): void {
    this.#abort.abort();
    begin(() => this.#explain());
  }

  close(): void {
    this.#abort.abort();
  }

  // Before the first result, there is nothing to explain.
  async #explain(): Promise<void> {
    if (!this.#source) return;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const { table, filter, search } = this.#source;
    if (search) return this.#say(OF_A_SEARCH);
    try {
      const plan = await table.explain({ filter, abortSignal: signal });
      if (!signal.aborted) this.#draw(plan);
    } catch (error) {
      if (signal.aborted) return;
      this.#say(...errorContent(error));
    }
  }

  #say(...content: (Node | string)[]): void {
    this.#text.replaceChildren(...content);
    this.#bars.replaceChildren();
  }

  #draw({ access, index, pagesRead, pagesSkipped, entitiesExamined, count }: QueryPlan): void {
    this.#text.textContent =
      access === 'index' ? `The index ${index} has the entities that can match.` : ACCESS[access];
    const others = Math.max(0, entitiesExamined - count);
    this.#bars.replaceChildren(
      barOf('Pages', [
        [pagesRead, 'read'],
        [pagesSkipped, 'answered by their zone maps'],
      ]),
      barOf('Entities', [
        [count, 'fit'],
        [others, 'were compared, and do not fit'],
      ]),
    );
  }
}

type Part = readonly [count: number, what: string];

/** A bar with a filled part and an empty one. */
function barOf(title: string, [filled, empty]: readonly [Part, Part]): Node {
  const text = [filled, empty].map(([count, what]) => `${displayCount(count)} ${what}`).join(', ');
  const whole = filled[0] + empty[0];
  const part = (name: string, width: number) =>
    makeSvg('rect', { class: name, width: whole === 0 ? 0 : width, height: 8 });
  const picture = makeSvg(
    'svg',
    { viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    part('whole', 100),
    part('part', (100 * filled[0]) / whole),
  );
  return make('div', { class: 'plan-bar' }, make('strong', {}, title), picture, text);
}
