/**
 * Validates a group of commits: which of them hold, and what they change together.
 *
 * @module
 */

import { sameBytes } from '../bytes.js';
import type { Batch, CommitResult, Durability, StorageKey } from '../page-storage.js';
import type { Change, Place } from './format.js';
import type { LoadedFile } from './load.js';

/** A commit that a caller waits for. */
export interface WaitingCommit {
  readonly batch: Batch;
  readonly durability: Durability;
  readonly resolve: (result: CommitResult) => void;
}

/** The same with its result: `ok`, if it must be stored. */
export interface ValidatedCommit extends WaitingCommit {
  readonly result: CommitResult;
}

// The size of one batch of the file, unless one commit has more.
const GROUP_BYTES = 4 * 2 ** 20;

/** A group of commits, with their results. */
export interface ValidatedGroup {
  readonly commits: readonly ValidatedCommit[];

  /** All changes of the commits that hold, as one batch. */
  readonly changes: readonly Change[];
}

// The values that were read for a comparison, until they move. Every commit expects the same few
// values, and to read one takes as long as to write a commit.
const compared = new WeakMap<Place, Uint8Array>();

/** Validates each commit in order, as if the ones before it were stored. */
export async function validate(
  { file, index }: LoadedFile,
  group: readonly WaitingCommit[],
): Promise<ValidatedGroup> {
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
    // Most expectations that fail differ in length, or have no value.
    if (!expect.every(([key, value]) => lengthOf(key) === value?.length)) return false;
    for (const [key, value] of expect) {
      if (value && !sameBytes(await valueOf(key), value)) return false;
    }
    return true;
  };

  const commits: ValidatedCommit[] = [];
  for (const commit of [...group]) {
    const outcome = (await holds(commit.batch)) ? 'ok' : 'moved';
    commits.push({ ...commit, result: { outcome } });
    if (outcome === 'moved') continue;
    for (const key of commit.batch.deletes) staged.set(key, undefined);
    for (const [key, value] of commit.batch.puts) staged.set(key, value);
  }
  // A key without a value needs no deletion.
  return { commits, changes: [...staged].filter(([key, value]) => value ?? index.get(key)) };
}

/** How many commits share a batch of the file: at least 1, unless there are none. */
export function countForGroup(waiting: readonly WaitingCommit[]): number {
  let bytes = 0;
  const end = waiting.findIndex(({ batch }) => {
    bytes += batch.puts.reduce((sum, [, value]) => sum + value.length, 0);
    return bytes > GROUP_BYTES;
  });
  return end < 0 ? waiting.length : Math.max(end, 1);
}
