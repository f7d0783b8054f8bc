// sized-commits.ts - commits of all sizes. Each value shows the number of its commit.

import type { Batch, PageStorage, StorageKey } from '../../../../js/src/storage/page-storage.js';

const KEPT = 20;

/** The value under the keys of commit `number`: 10 bytes to 60 KB. */
export function valueOf(number: number): Uint8Array {
  const length = number % 7 === 0 ? 60_000 : 10 + ((number * 37) % 900);
  const value = new Uint8Array(length).fill(number);
  new DataView(value.buffer).setUint32(0, number);
  return value;
}

/** Commit `number` adds a log record, removes one, and replaces a page and the manifest. */
export function sizedBatch(number: number): Batch {
  const value = valueOf(number);
  return {
    expect: [[`log/${number}`, undefined]],
    puts: [
      [`log/${number}`, value],
      [`pages/${number % 5}`, value],
      ['pages/root', value],
    ],
    deletes: number > KEPT ? [`log/${number - KEPT}`] : [],
  };
}

/** The number of the last stored commit. Throws if a commit is stored in part. */
export async function lastSizedCommit(storage: PageStorage): Promise<number> {
  const pages = [0, 1, 2, 3, 4].map((page): StorageKey => `pages/${page}`);
  const { values, records } = await storage.read({
    keys: ['pages/root', ...pages],
    recordsAfter: 0,
  });
  const last = records.at(-1)?.[0] ?? 0;
  const expected = Array.from({ length: Math.min(last, KEPT) }, (_, at) => last - at).reverse();
  same(records.map(([number]) => number).join(), expected.join(), 'the records');
  for (const [number, value] of records) same(text(value), text(valueOf(number)), `log/${number}`);
  if (last > 0) same(text(values[0]), text(valueOf(last)), 'the manifest');
  for (let number = Math.max(1, last - 4); number <= last; number++) {
    same(text(values[1 + (number % 5)]), text(valueOf(number)), `pages/${number % 5}`);
  }
  return last;
}

const text = (value: Uint8Array | undefined) =>
  value ? Buffer.from(value).toString('latin1') : '';

function same(one: string, other: string, what: string): void {
  if (one !== other)
    throw new Error(`${what}: ${one.slice(0, 80)} instead of ${other.slice(0, 80)}`);
}
