// stored-bytes.ts - the bytes of stores, and stores of given bytes.

import { crc32c } from '../../../../js/src/storage/file/crc32c.js';
import {
  encodeBatch,
  FILE_HEADER_LENGTH,
  type Change,
} from '../../../../js/src/storage/file/format.js';
import type { Durability } from '../../../../js/src/storage/page-storage.js';
import { FaultFileSystem } from './fault-file-system.js';
import { batchOf, lastCommitOf, openStore, STORE_PATH, commitAll } from './numbered-commits.js';

export const DURABILITIES: readonly Durability[] = ['relaxed', 'strict'];

/** The file after each commit of a store that is never rewritten. */
export async function filesOf(durability: Durability, commits: number): Promise<Uint8Array[]> {
  const fileSystem = new FaultFileSystem();
  const storage = openStore(fileSystem, durability);
  await storage.read({ keys: [] });
  const files = [fileSystem.bytesOf(STORE_PATH)];
  await commitAll(storage, 1, commits, () => files.push(fileSystem.bytesOf(STORE_PATH)));
  return files;
}

/** The file when a process has written commit `number`, and died before it wrote a mark. */
export function unmarked(files: readonly Uint8Array[], number: number): Uint8Array {
  const bytes = files[number]!.slice();
  bytes.set(files[number - 1]!.subarray(0, FILE_HEADER_LENGTH));
  return bytes;
}

/** The end that was cut off, and saved. */
export function cutsIn({ files }: FaultFileSystem): Uint8Array[] {
  return [...files].filter(([path]) => path.includes('.cut-')).map(([, { bytes }]) => bytes);
}

/** A disk with that file; after a power cut, if not said otherwise. */
export function storeOf(bytes: Uint8Array, { boot = 2 }: { boot?: number } = {}): FaultFileSystem {
  const fileSystem = new FaultFileSystem();
  fileSystem.boot = boot;
  fileSystem.setBytes(STORE_PATH, bytes);
  return fileSystem;
}

/** The commit that the store is after, or the code under which it cannot be used. */
export function outcomeOf(
  fileSystem: FaultFileSystem,
  durability: Durability,
): Promise<number | string> {
  return lastCommitOf(openStore(fileSystem, durability)).catch((error: { code?: string }) => {
    if (error.code === undefined) throw error;
    return error.code;
  });
}

/** A file of the first version of the format, which had no marks. */
export async function firstVersion(commits: number): Promise<Uint8Array> {
  const id = Uint8Array.from({ length: 16 }, (_, at) => at);
  const header = Uint8Array.from([...new TextEncoder().encode('ETFS'), 1, ...id, 0, 0, 0, 0]);
  new DataView(header.buffer).setUint32(21, crc32c(header.subarray(0, 21)), true);
  const parts: Uint8Array[] = [header];
  let end = header.length;
  for (let number = 1; number <= commits; number++) {
    const { puts, deletes } = batchOf(number);
    const changes: Change[] = [...deletes.map((key) => [key, undefined] as const), ...puts];
    const at = { offset: end, synced: end, seed: crc32c(id) };
    parts.push(encodeBatch(changes, at).bytes);
    end += parts.at(-1)!.length;
  }
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
