// failing-store.ts - stores on a file system that fails, new for each test of a file that calls
// useFailingStores().

import { afterEach, beforeEach, expect, vi } from 'vitest';

import type {
  CommitResult,
  Durability,
  PageStorage,
} from '../../../../js/src/storage/page-storage.js';
import { FaultFileSystem, type Fault, type FileStep } from './fault-file-system.js';
import { openStore as storeIn, commitAll } from './numbered-commits.js';

export const NEW_NAME = 'entitable.store.new';

export let fileSystem: FaultFileSystem;

const storages: PageStorage[] = [];

export function openStore(...parameters: Parameters<typeof storeIn>): PageStorage {
  const storage = storeIn(...parameters);
  storages.push(storage);
  return storage;
}

/** A store that has three commits. */
export async function begun(durability: Durability, deadBytes = Infinity): Promise<PageStorage> {
  const storage = openStore(fileSystem, durability, { deadBytes, onProblem: problems });
  await commitAll(storage, 1, 3, () => undefined);
  return storage;
}

export const problems = vi.fn();

/** The next step of that kind, on that file, comes to this. */
export function failNext(kind: FileStep['kind'], fault: Fault, name = 'entitable.store'): void {
  fileSystem.onStep = (step) => {
    if (step.kind !== kind || step.name !== name) return undefined;
    fileSystem.onStep = undefined;
    return fault;
  };
}

export const count = (kind: FileStep['kind']) =>
  fileSystem.steps.filter((step) => step.kind === kind).length;
export const outcomeOf = async (result: Promise<CommitResult>) => (await result).outcome;

export function useFailingStores(): void {
  beforeEach(() => {
    fileSystem = new FaultFileSystem();
    problems.mockClear();
  });

  afterEach(async () => {
    fileSystem.reboot();
    fileSystem.capacity = Infinity;
    for (const storage of storages.splice(0)) await storage.close();
    expect(fileSystem.openNames, 'files that a closed store has left open').toEqual([]);
  });
}
