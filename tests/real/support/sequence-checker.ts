// sequence-checker.ts - checks the contents of the store after a browser was killed.

import { SEQUENCES, TABLES, type Row, type SequenceName, type Step } from './sequences.js';

/** The rows of each table. */
export type Tables = Record<string, readonly Row[]>;

/** The state of a sequence after its writer was killed. */
export type Ending = 'acknowledged' | 'one more' | 'part of an import';

type State = ReadonlyMap<string, ReadonlyMap<string, Row>>;

/** Follows one sequence by the acknowledgements of its writer. */
export class SequenceChecker {
  readonly #sequence: SequenceName;
  #number = 0;
  #state: State = new Map();

  // How many rows of an unfinished import are known to be stored.
  #part = 0;

  constructor(sequence: SequenceName) {
    this.#sequence = sequence;
  }

  /** The last step that is known to be stored. The sequence continues after it. */
  get number(): number {
    return this.#number;
  }

  /** Notes that step `number` was acknowledged. */
  acknowledge(number: number): void {
    if (number !== this.#number + 1) throw new Error(`step ${number} came after ${this.#number}`);
    this.#advance();
  }

  /**
   * Checks the tables of an account after the writer was killed. All acknowledged steps must be
   * stored. The step after them may be stored as a whole, or, if it is an import, up to some row.
   * Throws if the tables have any other contents.
   */
  check(found: Tables): Ending {
    const mine = this.#ownOf(found);
    const next = SEQUENCES[this.#sequence](this.#number + 1);
    if (this.#part === 0 && isSame(mine, this.#state)) return 'acknowledged';
    if (next.kind === 'import') {
      const stored = mine.get(next.table)?.size ?? 0;
      const isPart = stored >= this.#part && stored < next.puts.length;
      const puts = next.puts.slice(0, stored);
      if (isPart && isSame(mine, after(this.#state, { ...next, puts }))) {
        this.#part = stored;
        return 'part of an import';
      }
    }
    if (!isSame(mine, after(this.#state, next))) {
      throw new Error(
        `${this.#sequence} with ${this.#number} acknowledged steps has ${summary(mine)}; expected: ${summary(this.#state)}, or one ${next.kind} more`,
      );
    }
    this.#advance();
    return 'one more';
  }

  #advance(): void {
    this.#number++;
    this.#part = 0;
    this.#state = after(this.#state, SEQUENCES[this.#sequence](this.#number));
  }

  #ownOf(found: Tables): State {
    const own = Object.entries(found).filter(
      ([name]) => name.replace(/\d+$/, '') === TABLES[this.#sequence],
    );
    return new Map(own.map(([name, rows]) => [name, byKey(rows)]));
  }
}

function after(state: State, step: Step): State {
  const next = new Map(state);
  switch (step.kind) {
    case 'create':
      return next.set(step.table, new Map());
    case 'drop':
      next.delete(step.table);
      return next;
    default:
      return next.set(step.table, rowsAfter(state.get(step.table), step));
  }
}

function rowsAfter(
  before: ReadonlyMap<string, Row> | undefined,
  { puts, deletes }: Extract<Step, { puts: unknown }>,
): ReadonlyMap<string, Row> {
  const rows = new Map(before);
  for (const key of deletes) rows.delete(key);
  for (const row of puts) rows.set(row.rowKey, row);
  return rows;
}

function byKey(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.rowKey, row]));
}

function isSame(one: State, other: State): boolean {
  return haveSame(one, other, (rows, others) =>
    haveSame(rows, others, (a, b) => a.turn === b.turn && a.text === b.text),
  );
}

function haveSame<T>(
  one: ReadonlyMap<string, T>,
  other: ReadonlyMap<string, T>,
  isEqual: (a: T, b: T) => boolean,
): boolean {
  return (
    one.size === other.size &&
    [...one].every(([key, value]) => other.has(key) && isEqual(value, other.get(key)!))
  );
}

function summary(state: State): string {
  const tables = [...state].map(([name, rows]) => {
    const newest = [...rows.values()].reduce((turn, row) => Math.max(turn, row.turn), 0);
    return `${name} with ${rows.size} rows up to turn ${newest}`;
  });
  return tables.join(', ') || 'no table';
}
