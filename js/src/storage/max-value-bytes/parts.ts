/**
 * Reads the parts of values.
 *
 * @module
 */

import { HOW_TO_REPAIR, TableError } from '../../base/errors.js';
import { sameBytes } from '../bytes.js';
import type { PageStorage, StorageKey } from '../page-storage.js';
import { cutOf, isWhole, keysOfParts, wholeOf, type Cut } from './heads.js';

/** The head of a key, as it was read. */
export type Head = readonly [StorageKey, Uint8Array | undefined];

/**
 * Returns the values of heads that were read at one moment, each in a buffer of its own. Parts
 * never change, so a part that is still there later is the part of that moment.
 *
 * @returns undefined, if parts have been deleted since: then read the heads again.
 * @throws {@link TableError} `StorageDamaged`, if a part of a value is missing, or the value was
 * not written by this adapter.
 */
export async function valuesOf(
  storage: PageStorage,
  heads: readonly Head[],
): Promise<(Uint8Array | undefined)[] | undefined> {
  const given = [...heads];
  const parts = await readParts(storage, given);
  return parts && given.map(([key, head]) => valueOf(key, head, parts));
}

type Parts = ReadonlyMap<StorageKey, Uint8Array | undefined>;

async function readParts(storage: PageStorage, heads: readonly Head[]): Promise<Parts | undefined> {
  const cuts = new Map<StorageKey, [head: Uint8Array, cut: Cut]>();
  for (const [key, head] of heads) {
    const cut = cutOf(head);
    if (cut) cuts.set(key, [head!, cut]);
  }
  if (cuts.size === 0) return new Map();
  const partKeys = [...cuts.values()].flatMap(([, cut]) => keysOfParts(cut));
  const { values } = await storage.read({ keys: [...cuts.keys(), ...partKeys] });
  const isSame = [...cuts.values()].every(([head], at) => sameBytes(head, values[at]));
  return isSame ? new Map(partKeys.map((key, at) => [key, values[cuts.size + at]])) : undefined;
}

function valueOf(
  key: StorageKey,
  head: Uint8Array | undefined,
  parts: Parts,
): Uint8Array | undefined {
  if (!head) return undefined;
  const cut = cutOf(head);
  if (!cut && !isWhole(head)) throw damaged(key, 'was not written by withMaxValueBytes()');
  if (!cut) return wholeOf(head).slice();
  const value = new Uint8Array(cut.length);
  keysOfParts(cut).forEach((partKey, at) => {
    const part = parts.get(partKey);
    const start = at * cut.partBytes;
    if (part?.length !== Math.min(cut.partBytes, cut.length - start)) {
      throw damaged(key, 'has a missing or damaged part');
    }
    value.set(part, start);
  });
  return value;
}

const damaged = (storageKey: StorageKey, what: string) =>
  new TableError('StorageDamaged', `The value under ${storageKey} ${what}.`, {
    storageKey,
    sentence: HOW_TO_REPAIR,
  });
