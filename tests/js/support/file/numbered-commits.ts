// numbered-commits.ts - a series of commits, and the content of the store after each.

import { join } from 'node:path';

import type { Processes } from '../../../../js/src/storage/file/node/processes.js';
import { folderStores } from '../../../../js/src/storage/file/node/stores.js';
import type {
  Batch,
  Durability,
  PageStorage,
  StorageKey,
} from '../../../../js/src/storage/page-storage.js';
import type { FaultFileSystem } from './fault-file-system.js';

export const FOLDER = '/store';
export const STORE_PATH = join(FOLDER, 'entitable.store');
export const RESERVE_PATH = join(FOLDER, 'entitable.reserve');

let processes = 0;

/** A new process. All earlier ones have ended. */
export function lonelyProcess(boot = 0): Processes {
  return { self: { pid: ++processes, started: '0' }, boot, lives: async () => false };
}

/** The store as a new process sees it. */
export function openStore(
  fileSystem: FaultFileSystem,
  durability: Durability,
  {
    deadBytes = Infinity,
    reserveBytes = 0,
    onProblem,
  }: { deadBytes?: number; reserveBytes?: number; onProblem?: (cause: unknown) => void } = {},
): PageStorage {
  const stores = folderStores({
    fileSystem,
    processes: lonelyProcess(fileSystem.boot),
    deadBytes,
    reserveBytes,
  });
  return stores.storageFor({ folder: FOLDER, durability, onProblem });
}

const value = (number: number, length: number) =>
  Uint8Array.from({ length }, (_, at) => number * 7 + at);

/** Commit `number`, counted from 1. It adds a log record, replaces a page and deletes others. */
export function batchOf(number: number): Batch {
  const before = number - 1;
  return {
    expect: [
      [`log/${number}`, undefined],
      ['log/base', before > 0 ? value(before, 4) : undefined],
    ],
    puts: [
      [`log/${number}`, value(number, 10 + (number % 5) * 9)],
      ['log/base', value(number, 4)],
      [`pages/${number % 3}`, value(number, 30)],
      ...(number % 4 === 0 ? ([['pages/root', new Uint8Array()]] as const) : []),
    ],
    deletes: [
      ...(number > 3 ? [`log/${number - 3}` as const] : []),
      ...(number % 4 === 2 ? (['pages/root'] as const) : []),
    ],
  };
}

/** The content of the store after commit `number`. */
export function stateAfter(number: number): Map<StorageKey, Uint8Array> {
  const state = new Map<StorageKey, Uint8Array>();
  for (let n = 1; n <= number; n++) {
    const { puts, deletes } = batchOf(n);
    for (const key of deletes) state.delete(key);
    for (const [key, stored] of puts) state.set(key, stored);
  }
  return state;
}

/** Stores commits `from` to `to`. Calls `acknowledged` with the number of each one after it. */
export async function commitAll(
  storage: PageStorage,
  from: number,
  to: number,
  acknowledged: (number: number) => void,
): Promise<void> {
  for (let number = from; number <= to; number++) {
    const { outcome, cause } = await storage.commit(batchOf(number));
    if (outcome !== 'ok') throw new Error(`commit ${number}: ${outcome}`, { cause });
    acknowledged(number);
  }
}

/** The number of the last commit. Throws if the store differs from its state after that one. */
export async function lastCommitOf(storage: PageStorage): Promise<number> {
  const all = 60;
  const numbers = Array.from({ length: all }, (_, at) => at);
  const keys: StorageKey[] = [
    'log/base',
    'pages/root',
    ...numbers.flatMap((number) => [`log/${number}`, `pages/${number}`] as const),
  ];
  const { values, records } = await storage.read({ keys, recordsAfter: 0 });
  const found = new Map(
    keys.flatMap((key, at) => (values[at] ? [[key, values[at]] as const] : [])),
  );
  const last = records.at(-1)?.[0] ?? 0;
  const expected = shownAfter(last);
  if (shown(found) !== expected) {
    throw new Error(`not as after commit ${last}:\n${shown(found)}\nbut:\n${expected}`);
  }
  return last;
}

const shown = (state: Map<StorageKey, Uint8Array>) =>
  [...state]
    .map(([key, bytes]) => `${key}=${bytes.join()}`)
    .sort()
    .join('\n');

// Thousands of stores are compared with the same few states.
const known = new Map<number, string>();

function shownAfter(number: number): string {
  const text = known.get(number) ?? shown(stateAfter(number));
  known.set(number, text);
  return text;
}
