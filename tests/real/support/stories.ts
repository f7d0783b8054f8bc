// stories.ts - what is written while a browser is killed: endless series of steps of which it is
// known what tables and rows are there after each.  Each story is told by one writer.

/** An entity of the one partition of a table. `turn` is the step that wrote it. */
export interface Row {
  readonly rowKey: string;
  readonly turn: number;
  readonly text: string;
}

/** All of it happens, or nothing; but the rows of an import may be there up to any one of them. */
export type Step =
  | { readonly kind: 'create' | 'drop'; readonly table: string }
  | {
      readonly kind: 'import' | 'write';
      readonly table: string;
      readonly puts: readonly Row[];
      readonly deletes: readonly string[];
    };

export type StoryName = 'singles' | 'transactions' | 'loads';

/** Step `number`, counted from 1. */
export const STORIES: Record<StoryName, (number: number) => Step> = {
  singles: withTable('Singles', single),
  transactions: withTable('Transactions', transaction),
  loads: load,
};

/** The tables of each story, without the number at the end. */
export const TABLES: Record<StoryName, string> = {
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

// Two inserts, a replacement of the second one, a deletion of the first; and after a long time
// one of the second, so that there are never more than some thousands.
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

// Takes the place of the one before: in part, the rows of both or of none would be there.
function transaction(table: string, number: number): Step {
  const keys = (of: number) =>
    Array.from({ length: of > 0 ? 2 + ((of * 37) % 47) : 0 }, (_, at) => `${of}-${keyOf(at)}`);
  return {
    ...{ kind: 'write', table },
    puts: [row('head', number, 10), ...keys(number).map((key) => row(key, number, 3_000))],
    deletes: keys(number - 1),
  };
}

// A table, what is loaded into it at once, and the end of the table before the last: every third
// load is longer than what an import stores in one step.
function load(number: number): Step {
  const which = Math.ceil(number / 3);
  const table = `Load${which}`;
  if (number % 3 === 1) return { kind: 'create', table };
  if (number % 3 === 0) return { kind: 'drop', table: `Load${which - 1}` };
  const length = which % 3 === 0 ? 12_000 : 1_000;
  const puts = Array.from({ length }, (_, at) => row(keyOf(at), number, 500));
  return { kind: 'import', table, puts, deletes: [] };
}
