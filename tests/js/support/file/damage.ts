// damage.ts - ways in which the bytes of a file come to harm, and stores to try them on.

import { TableError } from '../../../../js/src/base/errors.js';
import { openAccount } from '../../../../js/src/index.js';
import type { Durability } from '../../../../js/src/storage/page-storage.js';
import { collect } from '../accounts.js';
import { FaultFileSystem } from './fault-file-system.js';
import { openStore, STORE_PATH } from './numbered-commits.js';

type Random = (below: number) => number;

/** Kinds of damage. Each returns other bytes; they may happen to be the same. */
export const DAMAGES: Readonly<Record<string, (bytes: Uint8Array, random: Random) => Uint8Array>> =
  {
    'a byte is inserted': (bytes, random) => {
      const at = random(bytes.length + 1);
      return joined(bytes.subarray(0, at), Uint8Array.of(random(256)), bytes.subarray(at));
    },
    'a byte is deleted': (bytes, random) => {
      const at = random(bytes.length);
      return joined(bytes.subarray(0, at), bytes.subarray(at + 1));
    },
    'line ends become CRLF': (bytes) =>
      Uint8Array.from([...bytes].flatMap((byte) => (byte === 10 ? [13, 10] : [byte]))),
    'the end is cut off': (bytes, random) => bytes.slice(0, random(bytes.length)),
    'a little of the end is cut off': (bytes, random) =>
      bytes.slice(0, bytes.length - 1 - random(Math.min(bytes.length - 1, 600))),
    'the end is zeros': (bytes, random) =>
      bytes.slice().fill(0, bytes.length - 1 - random(Math.min(bytes.length - 1, 16_384))),
    'a bit is flipped': (bytes, random) => {
      const flipped = bytes.slice();
      flipped[random(bytes.length)]! ^= 1 << random(8);
      return flipped;
    },
    'two blocks are swapped': (bytes, random) => {
      const [one, other] = [blockOf(bytes, random), blockOf(bytes, random)];
      const swapped = bytes.slice();
      swapped.set(bytes.subarray(...one), other[0]);
      swapped.set(bytes.subarray(...other), one[0]);
      return swapped.subarray(0, bytes.length);
    },
    'a block holds another': (bytes, random) => {
      const [from, to] = [blockOf(bytes, random), blockOf(bytes, random)];
      const copied = bytes.slice();
      copied.set(bytes.subarray(...from), to[0]);
      return copied;
    },
    'a block is missing': (bytes, random) => {
      const [start, end] = blockOf(bytes, random);
      return joined(bytes.subarray(0, start), bytes.subarray(end));
    },
    'something follows the end': (bytes, random) =>
      joined(
        bytes,
        Uint8Array.from({ length: 1 + random(5_000) }, () => random(256)),
      ),
  };

// Of a disk: only whole ones, so that their lengths are equal.
function blockOf(bytes: Uint8Array, random: Random): [number, number] {
  const size = 2 ** (9 + random(5));
  const count = Math.max(1, Math.floor(bytes.length / size));
  const start = random(count) * size;
  return [start, Math.min(start + 512, bytes.length)];
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

/** The files of a store, and what each entity was when the last write was acknowledged. */
export interface StoredState {
  readonly name: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly expected: ReadonlyMap<string, number>;
}

/** States of a store of 1,000 entities: after a crash at some moments, and after it was closed. */
export async function storedStates(durability: Durability, random: Random): Promise<StoredState[]> {
  const fileSystem = new FaultFileSystem();
  const account = await openAccount({ storage: openStore(fileSystem, durability) });
  const table = account.tableClient('Pets');
  await table.createTable();
  const expected = new Map<string, number>();
  const states: StoredState[] = [];
  const keep = (name: string) =>
    states.push({ name, files: copyOf(fileSystem), expected: new Map(expected) });
  const crashes = new Set(Array.from({ length: 6 }, () => 20 + random(1_100)));
  for (let at = 0, rest = 1_000; rest > 0 || at < 1_150; at++) {
    const count = Math.min(rest, 1 + random(2));
    rest -= count;
    const numbers = Array.from({ length: count }, (_, more) => 999 - rest - more);
    if (count === 0) numbers.push(random(1_000));
    await Promise.all(
      numbers.map(async (number) => {
        const rowKey = `${number}`.padStart(4, '0');
        const entity = { partitionKey: `p${number % 5}`, rowKey, version: at, name: `pet ${at}` };
        await table.upsertEntity(entity, 'Replace');
        expected.set(rowKey, at);
      }),
    );
    if (crashes.has(at)) keep(`crashed after ${expected.size} entities`);
  }
  keep('crashed at the end');
  await account.close();
  keep('closed');
  return states;
}

function copyOf({ files }: FaultFileSystem): Map<string, Uint8Array> {
  return new Map(
    [...files]
      .filter(([path]) => !path.includes('.lock.'))
      .map(([path, { bytes }]) => [path, bytes.slice()]),
  );
}

/** Opens a store whose file has other bytes. Returns 'all is there', or the code of an error. */
export async function outcomeWith(state: StoredState, bytes: Uint8Array): Promise<string> {
  const fileSystem = new FaultFileSystem();
  for (const [path, content] of state.files) fileSystem.setBytes(path, content);
  fileSystem.setBytes(STORE_PATH, bytes);
  const storage = openStore(fileSystem, 'strict');
  try {
    const account = await openAccount({ storage });
    try {
      const found = await collect(account.tableClient('Pets').listEntities<{ version: number }>());
      const versions = new Map(found.map(({ rowKey, version }) => [rowKey!, version]));
      const missing = [...state.expected].filter(([key, version]) => versions.get(key) !== version);
      return missing.length === 0 ? 'all is there' : `SILENT: ${missing.length} lost`;
    } finally {
      await account.close();
    }
  } catch (error) {
    if (error instanceof TableError) return error.code;
    throw error;
  } finally {
    await storage.close();
  }
}
