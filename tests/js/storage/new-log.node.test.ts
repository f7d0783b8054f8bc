import { afterEach, expect, it, vi } from 'vitest';

import { Connection } from '../../../js/src/storage/indexeddb/connection.js';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

// As much of Chromium's IndexedDB as a connection asks for before its transactions.
function stubChromium(): string[] {
  const opened: string[] = [];
  const database = {
    objectStoreNames: { contains: () => true },
    transaction: () => ({}),
    close: () => undefined,
  };
  const open = (name: string) => {
    opened.push(name);
    const request = { result: database, onsuccess: () => undefined };
    queueMicrotask(() => request.onsuccess());
    return request;
  };
  class VersionChange {
    get dataLoss() {
      return 'none';
    }
  }
  vi.stubGlobal('IDBVersionChangeEvent', VersionChange);
  vi.stubGlobal('indexedDB', { open, deleteDatabase: () => ({}) });
  return opened;
}

it('begins a new log only when the first reads are over, however long they take', async () => {
  vi.useFakeTimers();
  const opened = stubChromium();
  const connection = new Connection('app');
  const read = (ms: number) =>
    connection.within(
      new Set(['pages'] as const),
      'readonly',
      {},
      () => new Promise((resolve) => setTimeout(resolve, ms)),
    );

  for (const ms of [10, 1_000, 90]) {
    const reading = read(ms);
    await vi.advanceTimersByTimeAsync(ms);
    await reading;
    await vi.advanceTimersByTimeAsync(90);
  }
  expect(opened).toEqual(['app']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(opened).toEqual(['app', 'entitable-scratch']);
});
