/**
 * The choices of a chart: its kind, its property, and what is calculated.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import type { ChartKind, Measure, Question } from '../chart/question.js';
import type { Column } from '../columns.js';
import { isNumeric } from '../display.js';
import type { ChartState } from '../explorer/view-state.js';
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

// The sum of such numbers says nothing.
const IDENTIFIER = /^[iI][dD]$|_id$|[a-z]I[dD]$/;

type Choice = Pick<Question, 'kind' | 'by' | 'types' | 'measure'>;

export class ChartChoices {
  readonly #kind = new Field('Chart', makeSelect([], ''));
  readonly #by = new Field('By', makeSelect([], ''));
  readonly #measure = new Field('Of', makeSelect([], ''));
  #columns: readonly Column[] = [];
  #table = '';
  // What the user has chosen for each kind. Until then, the suggestions follow the results.
  readonly #chosen = new Map<string, { by: string; measure: string }>();
  #chosenKind = '';
  // What was chosen before, until there are properties to choose from.
  #restored: ChartState | undefined;

  constructor(onChange: () => void) {
    const form = byId('chart-choices', HTMLFormElement);
    form.append(this.#kind.element, this.#by.element, this.#measure.element);
    form.addEventListener('change', ({ target }) => {
      const kind = this.#kind.value;
      this.#chosenKind = kind;
      if (target === this.#kind.control) this.#offer();
      else this.#chosen.set(kind, { by: this.#by.value, measure: this.#measure.value });
      onChange();
    });
  }

  /** Offers the properties of another query. Choices that still fit are kept. */
  show({ table, columns }: QuerySource): void {
    // A query without a result says nothing of the properties.
    const isSame = table.tableName === this.#table;
    if (columns.length === 0 && isSame) return;
    if (!isSame) {
      this.#chosen.clear();
      this.#chosenKind = '';
    }
    this.#restored = undefined;
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

  /** What the user has chosen; undefined, if the suggestions are on the screen. */
  get chosen(): ChartState | undefined {
    if (this.#restored) return this.#restored;
    const kind = this.#kind.value;
    if (this.#chosenKind !== kind) return undefined;
    return { kind, by: this.#by.value, of: this.#measure.value };
  }

  /** Chooses what the user has chosen before, for a table that may not be shown yet. */
  restore(table: string, choice: ChartState): void {
    const { kind, by, of } = choice;
    this.#restored = choice;
    this.#table = table;
    this.#chosenKind = kind;
    this.#chosen.set(kind, { by, measure: of });
  }

  #offer(): void {
    const all = Object.entries(KINDS).filter(([, { kind, fits }]) => {
      const { length } = this.#fitting(fits);
      return kind === 'bars' || length > Number(kind === 'points');
    });
    const names = all.map(([name]) => name);
    offerIn(this.#kind, names, this.#chosenKind, names[0]);
    const chosen = this.#chosen.get(this.#kind.value);
    const { kind, fits } = KINDS[this.#kind.value]!;
    const groups = this.#fitting(fits).map(({ name }) => name);
    if (kind === 'bars') groups.push(PARTITION_KEY);
    offerIn(this.#by, groups, chosen?.by, kind === 'bars' ? this.#bestGroup() : groups[0]);
    const numeric = this.#fitting(isNumeric).map(({ name }) => name);
    const numbers = [
      ...numeric.filter((name) => !IDENTIFIER.test(name)),
      ...numeric.filter((name) => IDENTIFIER.test(name)),
    ];
    const measures = kind === 'points' ? numbers : [COUNT, ...numbers.flatMap(measuresOf)];
    const suggestion = kind === 'histogram' ? COUNT : (measures[1] ?? COUNT);
    offerIn(this.#measure, measures, chosen?.measure, suggestion);
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

function offerIn(
  field: Field,
  choices: readonly string[],
  chosen: string | undefined,
  suggestion: string | undefined,
): void {
  const isThere = chosen !== undefined && choices.includes(chosen);
  field.control = makeSelect(choices, isThere ? chosen : (suggestion ?? ''));
}

function measuresOf(name: string): string[] {
  return Object.keys(FUNCTIONS).map((word) => `${word} of ${name}`);
}

function measureOf(text: string): Measure {
  if (text === COUNT) return { function: 'count' };
  const [, word, name] = /^(\w+) of (.+)$/.exec(text) ?? [undefined, 'Sum', text];
  return { function: FUNCTIONS[word as keyof typeof FUNCTIONS], name: name! };
}
