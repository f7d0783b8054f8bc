// script.ts - what happens in a world: writes of two replicas and of the cloud, and rounds of sync.
//
// Rows of an owner are written and deleted by it alone. In rows that are shared, each writer has a
// property of its own, and nobody deletes them. So the end is known, whatever comes in between: an
// owner's row is as the owner has left it, and each property of a shared row, too. The two rows of
// a pair are always written in one transaction, with the same value.

export const WRITERS = ['one', 'two', 'cloud'] as const;
export type Writer = (typeof WRITERS)[number];

export type Step =
  | { kind: 'put' | 'merge' | 'delete'; by: Writer; row: string; value: number }
  | { kind: 'share'; by: Writer; row: string; value: number }
  | { kind: 'pair'; by: Writer; value: number }
  | { kind: 'sync'; by: Writer }
  | { kind: 'wait' };

/** Draws the steps of a world. */
export function randomScript(below: (limit: number) => number, length: number): Step[] {
  const of = <T>(list: readonly T[]): T => list[below(list.length)]!;
  return Array.from({ length }, (_, value): Step => {
    const by = of(WRITERS);
    const kind = below(12);
    const row = `${by}${below(2)}`;
    if (kind < 5) return { kind: of(['put', 'merge', 'delete'] as const), by, row, value };
    if (kind === 5) return { kind: 'share', by, row: `shared${below(2)}`, value };
    if (kind === 6) return { kind: 'pair', by, value };
    return kind === 7 ? { kind: 'wait' } : { kind: 'sync', by: of(['one', 'two'] as const) };
  });
}

export type Rows = Map<string, Record<string, number>>;

/** The rows at the end. */
export function endOf(steps: readonly Step[]): Rows {
  const rows: Rows = new Map();
  const merge = (row: string, values: Record<string, number>) =>
    rows.set(row, { ...rows.get(row), ...values });
  for (const step of steps) {
    if (step.kind === 'put') rows.set(step.row, { v: step.value });
    if (step.kind === 'merge') merge(step.row, { w: step.value });
    if (step.kind === 'delete') rows.delete(step.row);
    if (step.kind === 'share') merge(step.row, { [step.by]: step.value });
    if (step.kind !== 'pair') continue;
    for (const side of ['a', 'b']) merge(`${step.by} ${side}`, { v: step.value });
  }
  return rows;
}
