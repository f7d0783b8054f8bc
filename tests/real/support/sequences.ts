// sequences.ts - endless sequences of steps, for writers that are killed. The tables and rows after
// each step are known. Each sequence has one writer.

/** An entity of the one partition of a table. `turn` is the step that wrote it. */
export interface Row {
  readonly rowKey: string;
  readonly turn: number;
  readonly text: string;
}

/** A step is stored as a whole or not at all, but the rows of an import may be stored in part. */
export type Step =
  | { readonly kind: 'create' | 'drop'; readonly table: string }
  | {
      readonly kind: 'import' | 'write';
      readonly table: string;
      readonly puts: readonly Row[];
      readonly deletes: readonly string[];
    };

export type SequenceName = 'singles' | 'transactions' | 'loads';

/** Step `number` of each sequence, counted from 1. */
export const SEQUENCES: Record<SequenceName, (number: number) => Step> = {
  singles: withTable('Singles', single),
  transactions: withTable('Transactions', transaction),
  loads: load,
};

/** The tables of each sequence, without the number at the end. */
export const TABLES: Record<SequenceName, string> = {
  singles: 'Singles',
  transactions: 'Transactions',
  loads: 'Load',
};

const row = (rowKey: string, turn: number, length: number): Row => ({
  rowKey,
  turn,
  text: `${rowKey} of ${turn} `.padEnd(length, `${turn} `),
});
const keyOf = (number: number) => String(number).padStart(9, '0');

function withTable(table: string, step: (table: string, number: number) => Step) {
  return (number: number): Step =>
    number === 1 ? { kind: 'create', table } : step(table, number - 1);
}

// Two inserts, a replacement of the second one, and a deletion of the first. A much later step
// deletes the second, so there are at most some thousands.
function single(table: string, number: number): Step {
  const put = (at: number): Step => ({
    ...{ kind: 'write', table, deletes: [] },
    puts: [row(keyOf(at), number, 300)],
  });
  if (number % 4 === 3) return put(number - 1);
  if (number % 4 !== 0) return put(number);
  const old = number - 8002;
  const deletes = [number - 3, ...(old > 0 ? [old] : [])].map(keyOf);
  return { kind: 'write', table, puts: [], deletes };
}

// Replaces the rows of the transaction before. A part of it would leave the rows of both or of
// none.
function transaction(table: string, number: number): Step {
  const keys = (of: number) =>
    Array.from({ length: of > 0 ? 2 + ((of * 37) % 47) : 0 }, (_, at) => `${of}-${keyOf(at)}`);
  return {
    ...{ kind: 'write', table },
    puts: [row('head', number, 10), ...keys(number).map((key) => row(key, number, 3_000))],
    deletes: keys(number - 1),
  };
}

// Creates a table, imports into it, and drops the table before. Every third import is longer than
// one step of an import.
function load(number: number): Step {
  const which = Math.ceil(number / 3);
  const table = `Load${which}`;
  if (number % 3 === 1) return { kind: 'create', table };
  if (number % 3 === 0) return { kind: 'drop', table: `Load${which - 1}` };
  const length = which % 3 === 0 ? 12_000 : 1_000;
  const puts = Array.from({ length }, (_, at) => row(keyOf(at), number, 500));
  return { kind: 'import', table, puts, deletes: [] };
}
