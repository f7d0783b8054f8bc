/**
 * The list of the parts that no head names: those that are written before their heads, and those
 * that are to be deleted. After a crash, it says which parts are unused.
 *
 * It is one value: for each range of parts three float64, big-endian: the number of the first part,
 * how many there are, and when the range was added, in Unix milliseconds. The time 0 means that the
 * parts are to be deleted. From then on no head may name them.
 *
 * @module
 */

import type { CommitResult, PageStorage } from '../page-storage.js';
import { partKey, partKeys } from './heads.js';

/** Parts with consecutive numbers. */
export interface Range {
  readonly first: number;
  readonly count: number;
  /** When it was added, in Unix milliseconds; 0, if the parts are to be deleted. */
  readonly time: number;
}

/** The journal, and the value that it was read from. */
export interface Entries {
  readonly value: Uint8Array | undefined;
  readonly ranges: readonly Range[];
}

export const JOURNAL = partKey(1);

/** How many parts one batch adds or deletes at most. */
export const MOST_PARTS = 64;

const RANGE_BYTES = 24;

// After that time, the writer of a range is taken for dead. If it is alive, it begins again.
const MAX_AGE_MILLISECONDS = 60_000;

export function journalValue(ranges: readonly Range[]): Uint8Array {
  const value = new Uint8Array(RANGE_BYTES * ranges.length);
  const view = new DataView(value.buffer);
  ranges.forEach(({ first, count, time }, at) =>
    [first, count, time].forEach((number, nth) =>
      view.setFloat64(RANGE_BYTES * at + 8 * nth, number),
    ),
  );
  return value;
}

export async function readJournal(storage: PageStorage): Promise<Entries> {
  const [value] = (await storage.read({ keys: [JOURNAL] })).values;
  const view = new DataView(value?.buffer ?? new ArrayBuffer(0));
  const ranges: Range[] = [];
  for (let at = 0; at < view.byteLength; at += RANGE_BYTES) {
    const [first, count, time] = [0, 8, 16].map((offset) => view.getFloat64(at + offset));
    ranges.push({ first: first!, count: count!, time: time! });
  }
  return { value, ranges };
}

/** Changes the journal. If others change it meanwhile, it reads it again and repeats the change. */
export async function changeJournal(
  storage: PageStorage,
  change: (ranges: readonly Range[]) => readonly Range[],
  frees: boolean,
): Promise<CommitResult> {
  for (;;) {
    const { value, ranges } = await readJournal(storage);
    const result = await storage.commit({
      expect: [[JOURNAL, value]],
      puts: [[JOURNAL, journalValue(change(ranges))]],
      deletes: [],
      frees,
    });
    if (result.outcome !== 'moved') return result;
  }
}

/**
 * Deletes the parts that are to be deleted, and those whose writer is dead. If it fails or is
 * interrupted, the next call goes on.
 */
export async function collectParts(storage: PageStorage): Promise<void> {
  const { ranges } = await readJournal(storage);
  if (!ranges.some(isOver)) return;
  const over = new Map<number, Range>();
  // First they are marked, so that their writer puts no head that names them.
  const marked = await changeJournal(
    storage,
    (all) =>
      all.map((range) => {
        if (!isOver(range)) return range;
        over.set(range.first, range);
        return { ...range, time: 0 };
      }),
    true,
  );
  if (marked.outcome !== 'ok') return;
  const keys = [...over.values()].flatMap(({ first, count }) => partKeys(first, count));
  for (let at = 0; at < keys.length; at += MOST_PARTS) {
    const deletes = keys.slice(at, at + MOST_PARTS);
    const { outcome } = await storage.commit({ expect: [], puts: [], deletes, frees: true });
    if (outcome !== 'ok') return;
  }
  await changeJournal(storage, (all) => all.filter(({ first }) => !over.has(first)), true);
}

const isOver = ({ time }: Range) =>
  time === 0 || Math.abs(Date.now() - time) > MAX_AGE_MILLISECONDS;
