// index.ts - the main entry for tests that run a second time: accounts are in a worker, if the
// worker can make their storages.

import { expect, onTestFinished } from 'vitest';

import type { AccountOptions, TableServiceClient } from '../../../../js/src/index.js';
import { openAccount as openHere, TableError } from '../../../../js/src/index.js';
import type { DescribedStorage } from '../../../../js/src/storage/description.js';

export * from '../../../../js/src/index.js';

// All accounts of a file are in one worker, so that they can share a memoryStorage().
const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });

export async function openAccount(options: AccountOptions): Promise<TableServiceClient> {
  if (!canMove(options)) return openHere(options);
  const account = await openHere({ ...options, worker });
  if (!account.isInWorker) throw new TableError('InternalError', 'The account is not in a worker.');
  closeLater(account);
  return account;
}

// Those that a test has not closed yet. Each has a module of its own in the page, so a test of many
// accounts must not hold the closed ones.
const opened = new Set<TableServiceClient>();

function closeLater(account: TableServiceClient): void {
  if (opened.size === 0) {
    onTestFinished(async () => {
      for (const one of opened) await one.close();
    });
  }
  opened.add(account);
  const close = account.close.bind(account);
  account.close = () => {
    opened.delete(account);
    return close();
  };
}

// Tests that use the module or the storage of their account from their own thread.
const HERE = [
  /'memory' storage .*deleted/,
  /is rejected with the reason, as fetch is/,
  /the system has no memory/,
  /loses no data when the module aborts/,
  /IndexedDB at its quota/,
];

// A storage that a test has filled or made stays in its thread.
function canMove(options: AccountOptions | undefined): boolean {
  if (HERE.some((name) => name.test(expect.getState().currentTestName ?? ''))) return false;
  const storage = options?.storage as DescribedStorage;
  try {
    const { factory } = storage.describe(worker);
    // It ends with the worker.
    if (factory === 'memoryStorage') storage.destroy = () => Promise.resolve();
    return true;
  } catch {
    return false;
  }
}
