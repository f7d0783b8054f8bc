/**
 * The choices of a chart: its kind, its property, and what is calculated.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import type { ChartKind, Measure, Question } from '../chart/question.js';
import type { Column } from '../columns.js';
import { isNumeric } from '../display.js';
import type { QuerySource } from './query-source.js';
import { byId } from './dom.js';
import { Field } from './field.js';
import { makeSelect } from './property-row.js';

interface Kind {
  readonly kind: ChartKind;
  readonly fits: (type: EdmTypes) => boolean;
}

const KINDS: Readonly<Record<string, Kind>> = {
  'Bars of groups': { kind: 'bars', fits: (type) => type !== 'Binary' },
  Histogram: { kind: 'histogram', fits: isNumeric },
  'Time line': { kind: 'times', fits: (type) => type === 'DateTime' },
  'Points of entities': { kind: 'points', fits: isNumeric },
};

const COUNT = 'Number of entities';
const FUNCTIONS = { Sum: 'sum', Average: 'avg', Least: 'min', Greatest: 'max' } as const;

// Any table has it.
const PARTITION_KEY = 'PartitionKey';

type Choice = Pick<Question, 'kind' | 'by' | 'types' | 'measure'>;

export class ChartChoices {
  readonly #kind = new Field('Chart', makeSelect([], ''));
  readonly #by = new Field('By', makeSelect([], ''));
  readonly #measure = new Field('Of', makeSelect([], ''));
  #columns: readonly Column[] = [];
  #table = '';
  // Until then, the suggestions follow the results.
  #hasChosen = false;

  constructor(onChange: () => void) {
    const form = byId('chart-choices', HTMLFormElement);
    form.append(this.#kind.element, this.#by.element, this.#measure.element);
    form.addEventListener('change', ({ target }) => {
      // Another kind has other suggestions.
      if (target === this.#kind.control) this.#offer(this.#kind.value);
      this.#hasChosen = true;
      onChange();
    });
  }

  /** Offers the properties of another query. Choices that still fit are kept. */
  show({ table, columns }: QuerySource): void {
    // A query without a result says nothing of the properties.
    const isSame = table.tableName === this.#table;
    if (columns.length === 0 && isSame) return;
    this.#hasChosen &&= isSame;
    this.#table = table.tableName;
    this.#columns = columns;
    this.#offer();
  }

  get choice(): Choice {
    const { kind, fits } = KINDS[this.#kind.value]!;
    const column = this.#columns.find(({ name }) => name === this.#by.value);
    return {
      kind,
      by: column?.name ?? 'partitionKey',
      types: [...(column?.types ?? [])].filter(fits),
      measure: measureOf(this.#measure.value),
    };
  }

  #offer(chosenKind?: string): void {
    const all = Object.entries(KINDS).filter(([, { kind, fits }]) => {
      const { length } = this.#fitting(fits);
      return kind === 'bars' || length > Number(kind === 'points');
    });
    const names = all.map(([name]) => name);
    if (chosenKind === undefined) this.#offerIn(this.#kind, names, names[0]);
    else this.#hasChosen = false;
    const { kind, fits } = KINDS[this.#kind.value]!;
    const groups = this.#fitting(fits).map(({ name }) => name);
    if (kind === 'bars') groups.push(PARTITION_KEY);
    this.#offerIn(this.#by, groups, kind === 'bars' ? this.#bestGroup() : groups[0]);
    const numbers = this.#fitting(isNumeric).map(({ name }) => name);
    const measures = kind === 'points' ? numbers : [COUNT, ...numbers.flatMap(measuresOf)];
    this.#offerIn(this.#measure, measures, kind === 'histogram' ? COUNT : (measures[1] ?? COUNT));
  }

  #offerIn(field: Field, choices: readonly string[], suggestion: string | undefined): void {
    const isKept = this.#hasChosen && choices.includes(field.value);
    field.control = makeSelect(choices, isKept ? field.value : (suggestion ?? ''));
  }

  #fitting(fits: Kind['fits']): Column[] {
    return this.#columns.filter(({ types }) => [...types].some(fits));
  }

  // The property whose values differ least makes the fewest groups; one group says nothing.
  #bestGroup(): string {
    const [best] = this.#columns
      .filter(({ types, values }) => types.has('String') && values.size > 1)
      .sort((a, b) => a.values.size - b.values.size);
    return best?.name ?? PARTITION_KEY;
  }
}

function measuresOf(name: string): string[] {
  return Object.keys(FUNCTIONS).map((word) => `${word} of ${name}`);
}

function measureOf(text: string): Measure {
  if (text === COUNT) return { function: 'count' };
  const [, word, name] = /^(\w+) of (.+)$/.exec(text) ?? [undefined, 'Sum', text];
  return { function: FUNCTIONS[word as keyof typeof FUNCTIONS], name: name! };
}
