/**
 * Stores a batch that is too large for one commit: first the parts, then their heads at once.
 *
 * The journal names the parts before they are written. The commit of their heads removes them from
 * the journal. So after a crash at any moment, the batch is stored whole or not at all, and the
 * journal names every unused part.
 *
 * @module
 */

import { sameBytes } from '../bytes.js';
import type { Batch, CommitOptions, CommitResult, PageStorage } from '../page-storage.js';
import { countOf, type Cut } from './heads.js';
import {
  changeJournal,
  collectParts,
  JOURNAL,
  journalValue,
  MOST_PARTS,
  readJournal,
  type Range,
} from './journal.js';

/** A batch in two steps. */
export interface LargeBatch {
  readonly parts: Batch['puts'];
  /** The number of the first part. */
  readonly first: number;
  /** The batch of the heads. */
  readonly heads: Batch;
  /** The values that the batch replaces or deletes. */
  readonly replaced: readonly Cut[];
}

/**
 * @param batchBytes - the most bytes of parts in one commit.
 * @returns `moved`, if the heads have changed, or if another account took this writer for dead and
 * condemned its parts.
 */
export async function storeLargeBatch(
  storage: PageStorage,
  batch: LargeBatch,
  batchBytes: number,
  options: CommitOptions | undefined,
): Promise<CommitResult> {
  const large = { ...batch };
  const given = { ...options };
  const groups = groupsOf(batch.parts, batchBytes);
  const frees = batch.heads.frees ?? false;
  const own: Range = { first: batch.first, count: batch.parts.length, time: Date.now() };
  const noted = await changeJournal(storage, (ranges) => [...ranges, own], frees);
  if (noted.outcome !== 'ok') return noted;
  let result: CommitResult = noted;
  for (const puts of groups) {
    const expect = puts.map(([key]) => [key, undefined] as const);
    result = await storage.commit({ expect, puts, deletes: [], frees }, given);
    if (result.outcome !== 'ok') break;
  }
  if (result.outcome === 'ok') result = await putHeads(storage, large, own, given);
  // If the outcome is unknown, the heads may still be stored, so the parts are left to a later call
  // of collectParts().
  if (result.outcome !== 'unknown') await collect(storage, result, own);
  return result;
}

/** Groups of at most `batchBytes`; a longer part is a group of its own. */
function groupsOf(parts: Batch['puts'], batchBytes: number): Batch['puts'][] {
  const groups: Batch['puts'][number][][] = [];
  let bytes = Infinity;
  for (const part of parts) {
    bytes += part[1].length;
    if (bytes > batchBytes || groups.at(-1)!.length === MOST_PARTS) {
      groups.push([]);
      bytes = part[1].length;
    }
    groups.at(-1)!.push(part);
  }
  return groups;
}

async function putHeads(
  storage: PageStorage,
  { heads, replaced }: LargeBatch,
  own: Range,
  options: CommitOptions | undefined,
): Promise<CommitResult> {
  const old = replaced.map((cut) => ({ first: cut.first, count: countOf(cut), time: 0 }));
  for (;;) {
    const journal = await readJournal(storage);
    const others = journal.ranges.filter(({ first, time }) => first !== own.first || time === 0);
    if (others.length === journal.ranges.length) return { outcome: 'moved' };
    const result = await storage.commit(
      {
        ...heads,
        expect: [...heads.expect, [JOURNAL, journal.value]],
        puts: [...heads.puts, [JOURNAL, journalValue([...others, ...old])]],
      },
      options,
    );
    if (result.outcome !== 'moved') return result;
    const isSame = sameBytes((await readJournal(storage)).value, journal.value);
    if (isSame) return result;
  }
}

// The outcome of the batch is known already, so an error here does not change it.
async function collect(storage: PageStorage, { outcome }: CommitResult, own: Range) {
  try {
    if (outcome !== 'ok') {
      const condemned = (ranges: readonly Range[]) =>
        ranges.map((range) => (range.first === own.first ? { ...range, time: 0 } : range));
      await changeJournal(storage, condemned, true);
    }
    await collectParts(storage);
  } catch {
    // A later call of collectParts() deletes the parts.
  }
}
