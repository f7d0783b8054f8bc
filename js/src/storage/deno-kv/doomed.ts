/**
 * Deletes more values than fit in one commit.
 *
 * The commit stores which values it deletes, as runs. From then on no read sees these values, and
 * no commit succeeds until they are gone. Any process may remove them, so a crash does no harm.
 *
 * @module
 */

import type { StorageKey } from '../page-storage.js';
import { allIn, patiently } from './calls.js';
import { groupOf, numberOf, type Run, type StoreKeys } from './keys.js';
import type { DenoKvEntry, DenoKvKey, DenoKvLike } from './platform.js';

/** How many values one commit removes. Each has at most 64 KiB, and is read before. */
const STEP = 200;

/** All that has a number. */
export const EVERYTHING: readonly Run[] = [
  ['log', 0, Number.MAX_SAFE_INTEGER],
  ['pages', -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
];

/** The runs of keys with numbers. */
export function runsOf(keys: readonly StorageKey[]): Run[] {
  const runs: [Run[0], number, number][] = [];
  const sorted = keys
    .map((key) => [groupOf(key), numberOf(key)!] as const)
    .sort(([one, first], [other, second]) =>
      one === other ? first - second : one < other ? -1 : 1,
    );
  for (const [group, number] of sorted) {
    const last = runs.at(-1);
    if (last?.[0] === group && number <= last[2] + 1) last[2] = number;
    else runs.push([group, number, number]);
  }
  return runs;
}

/** Whether a key is in one of the runs. */
export function isIn(runs: readonly Run[], key: StorageKey): boolean {
  const number = numberOf(key);
  if (number === undefined) return false;
  const group = groupOf(key);
  return runs.some(([one, first, last]) => one === group && number >= first && number <= last);
}

/** The runs in the note. */
export const runsIn = ({ value }: DenoKvEntry): readonly Run[] => (value ?? []) as readonly Run[];

/**
 * Removes the values of a note, and the note. The versionstamp is checked each time. So a slow
 * process removes nothing that was stored after another one had finished.
 */
export async function removeDoomed(
  kv: DenoKvLike,
  keys: StoreKeys,
  note: DenoKvEntry,
): Promise<void> {
  const check = { key: keys.doomed, versionstamp: note.versionstamp };
  for (const run of runsIn(note)) {
    for (;;) {
      const found = await allIn(kv, keys.run(run), STEP);
      if (found.length === 0) break;
      const { ok } = await patiently(() => {
        const atomic = kv.atomic().check(check);
        for (const { key } of found) atomic.delete(key as DenoKvKey);
        return atomic.commit();
      });
      if (!ok) return;
    }
  }
  await patiently(() => kv.atomic().check(check).delete(keys.doomed).commit());
}
