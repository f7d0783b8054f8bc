// session.ts - a session over a fake core, new for each test of a file that calls useSession().

import { afterEach, beforeEach, vi } from 'vitest';

import type { Operation } from '../../../js/src/core/frames.js';
import { Session } from '../../../js/src/core/session.js';
import type { Batch, CommitResult } from '../../../js/src/storage/page-storage.js';
import { FakeCore } from './fake-core.js';
import { WatchedStorage } from './storages.js';

export const operation: Operation = { kind: 'deleteTable', table: 'Pets' };
export const batch: Batch = { expect: [], puts: [['log/1', Uint8Array.of(1)]], deletes: [] };

export let core: FakeCore;
export let storage: WatchedStorage;
export let session: Session;

export function useSession(): void {
  beforeEach(() => {
    // On a busy machine, a slice of work would end between any two steps.
    vi.spyOn(performance, 'now').mockReturnValue(0);
    core = new FakeCore();
    useStorage(new WatchedStorage());
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });
}

/** Opens another session, over this storage. */
export function useStorage(used: WatchedStorage): void {
  storage = used;
  session = new Session(core.module, { account: 'acct', baseUrl: 'http://a', storage });
}

/** A commit that ends when the test says so. */
export function heldCommit() {
  let end!: (result: CommitResult) => void;
  const result = new Promise<CommitResult>((resolve) => (end = resolve));
  storage.onCommit = () => result;
  return end;
}

/** A write whose commit was begun, and ends when the test says so. */
export async function begunWrite(commit: Batch = batch, signal?: AbortSignal) {
  const end = heldCommit();
  core.steps.push({ kind: 'commit', id: 7, batch: commit });
  const answer = session.request(operation, signal);
  // It may be rejected before the test waits for it.
  answer.catch(() => {});
  await Promise.resolve();
  return { answer, end };
}
