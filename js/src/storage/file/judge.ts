/**
 * Which commits of a group hold, and what they change together.
 *
 * @module
 */

import { sameBytes } from '../bytes.js';
import type { Batch, CommitResult, Durability, StorageKey } from '../page-storage.js';
import type { Change, Place } from './format.js';
import type { LoadedFile } from './load.js';

/** A commit that somebody waits for. */
export interface WaitingCommit {
  readonly batch: Batch;
  readonly durability: Durability;
  readonly resolve: (result: CommitResult) => void;
}

/** The same, with `ok` if it is to be stored. */
export interface JudgedCommit extends WaitingCommit {
  readonly result: CommitResult;
}

// What goes into one batch of the file, unless one commit has more.
const GROUP_BYTES = 4 * 2 ** 20;

/** What is to become of a group of commits. */
export interface Judgement {
  readonly commits: readonly JudgedCommit[];

  /** All that those which hold change, as one batch. */
  readonly changes: readonly Change[];
}

// What was read to be compared, for as long as it is at its place: every commit expects the same
// few values, and to read one takes as long as to write a commit.
const compared = new WeakMap<Place, Uint8Array>();

/** Judges each by its own expectations, in order, and as if those before it were stored. */
export async function judge(
  { file, index }: LoadedFile,
  group: readonly WaitingCommit[],
): Promise<Judgement> {
  const staged = new Map<StorageKey, Uint8Array | undefined>();
  const valueOf = async (key: StorageKey) => {
    const place = index.get(key);
    if (staged.has(key) || !place) return staged.get(key);
    if (!compared.has(place)) compared.set(place, (await file.read([place]))[0]!);
    return compared.get(place);
  };
  const lengthOf = (key: StorageKey) =>
    (staged.has(key) ? staged.get(key) : index.get(key))?.length;
  const holds = async ({ expect }: Batch) => {
    // Most that does not hold is another length, or nothing.
    if (!expect.every(([key, value]) => lengthOf(key) === value?.length)) return false;
    for (const [key, value] of expect) {
      if (value && !sameBytes(await valueOf(key), value)) return false;
    }
    return true;
  };

  const commits: JudgedCommit[] = [];
  for (const commit of [...group]) {
    const outcome = (await holds(commit.batch)) ? 'ok' : 'moved';
    commits.push({ ...commit, result: { outcome } });
    if (outcome === 'moved') continue;
    for (const key of commit.batch.deletes) staged.set(key, undefined);
    for (const [key, value] of commit.batch.puts) staged.set(key, value);
  }
  // What was not there need not be deleted.
  return { commits, changes: [...staged].filter(([key, value]) => value ?? index.get(key)) };
}

/** How many of them share a batch of the file: 1 at least, unless there are none. */
export function countForGroup(waiting: readonly WaitingCommit[]): number {
  let bytes = 0;
  const end = waiting.findIndex(({ batch }) => {
    bytes += batch.puts.reduce((sum, [, value]) => sum + value.length, 0);
    return bytes > GROUP_BYTES;
  });
  return end < 0 ? waiting.length : Math.max(end, 1);
}
