import { expect, it, vi } from 'vitest';

import { TableError } from '../../../../js/src/base/errors.js';
import { WatchedStorage } from '../../../../js/src/server/accounts/watched-storage.js';
import { memoryStorage } from '../../../../js/src/storage/memory.js';
import type { Batch, PageStorage } from '../../../../js/src/storage/page-storage.js';
import { rejection } from '../../support/rejection.js';

const base: Batch = { expect: [], puts: [['log/base', Uint8Array.of(1)]], deletes: [] };
const unavailable = (text: string) => new TableError('StorageUnavailable', text);

/** A storage in memory that fails as the test wants, and its watch, of an open account. */
function serving() {
  const faults: Partial<Record<'read' | 'commit' | 'full', Error | undefined>> = {};
  const memory = memoryStorage();
  const storage: PageStorage = {
    read: async (request) => {
      if (faults.read) throw faults.read;
      return memory.read(request);
    },
    commit: async (batch) =>
      faults.full
        ? { outcome: 'quota', cause: faults.full }
        : faults.commit
          ? { outcome: 'refused', cause: faults.commit }
          : memory.commit(batch),
    close: () => memory.close(),
    destroy: () => memory.destroy(),
  };
  const warn = vi.fn<(line: string) => void>();
  const watch = new WatchedStorage(storage, 'acct', warn);
  watch.begin();
  const told = () => warn.mock.calls.map(([line]) => line);
  return { watch, faults, memory, told };
}

it('tells once that requests fail, with the reason, and once that they do not any more', async () => {
  const { watch, faults, told } = serving();
  faults.read = unavailable('No server at 10.0.0.1.');
  for (let i = 0; i < 3; i++) await rejection(watch.storage.read({ keys: [] }));
  expect(told()).toEqual(['account acct: requests fail: No server at 10.0.0.1.']);
  faults.read = undefined;
  for (let i = 0; i < 2; i++) await watch.storage.read({ keys: [] });

  expect(told().slice(1)).toEqual(['account acct: requests are answered again']);
});

it('tells once that writes fail, also if reads fail for the same reason', async () => {
  const { watch, faults, told } = serving();
  faults.commit = unavailable('It only reads.');
  for (let i = 0; i < 2; i++) await watch.storage.commit(base);
  await watch.storage.read({ keys: [] });
  faults.read = faults.commit;
  await rejection(watch.storage.read({ keys: [] }));
  expect(told()).toEqual(['account acct: writes fail: It only reads.']);
  faults.commit = faults.read = undefined;
  await watch.storage.commit(base);

  expect(told().slice(1)).toEqual(['account acct: requests are answered again']);
});

it('knows that writes fail, also after a read has failed and another has not', async () => {
  const { watch, faults, told } = serving();
  faults.commit = unavailable('It only reads.');
  await watch.storage.commit(base);
  faults.read = unavailable('No server.');
  await rejection(watch.storage.read({ keys: [] }));
  faults.read = undefined;
  for (let i = 0; i < 2; i++) await watch.storage.read({ keys: [] });
  expect([await watch.isGood(), watch.takesWrites]).toEqual([true, false]);
  faults.commit = undefined;
  await watch.storage.commit(base);

  expect([await watch.isGood(), watch.takesWrites]).toEqual([true, true]);
  expect(told().map((line) => line.replace('account acct: ', ''))).toEqual([
    'writes fail: It only reads.',
    'requests fail: No server.',
    'reads are answered again, and writes fail: It only reads.',
    'requests are answered again',
  ]);
});

it('tells that a full storage refuses writes, until it takes one that makes no room', async () => {
  const { watch, faults, told } = serving();
  faults.full = new Error('No space left on device');
  for (let i = 0; i < 2; i++) await watch.storage.commit(base);
  expect(told()).toEqual([
    expect.stringMatching(/^account acct: writes fail: The storage has no room\..*No space left/),
  ]);
  expect([await watch.isGood(), watch.takesWrites]).toEqual([true, false]);

  faults.full = undefined;
  await watch.storage.commit({ ...base, frees: true });
  expect(watch.takesWrites).toBe(false);
  await watch.storage.commit(base);
  expect(watch.takesWrites).toBe(true);
  expect(told().slice(1)).toEqual(['account acct: requests are answered again']);
});

it.each([
  [
    'StorageEvicted',
    'The store was deleted, or replaced by another, while it was open.',
    'requests fail until the server is started again: the file /secret/path',
  ],
  ['StorageUnavailable', 'The storage did not do what was asked of it.', 'requests fail: '],
  ['StorageDamaged', 'A stored value is damaged.', 'account acct: the file /secret/path'],
] as const)('hides the message of %s from clients', async (code, text, warning) => {
  const { watch, faults, told } = serving();
  faults.read = new TableError(code, 'the file /secret/path');
  const error = (await rejection(watch.storage.read({ keys: [] }))) as TableError;

  expect([error.code, error.message]).toEqual([code, text]);
  expect(told()).toEqual([expect.stringContaining(warning)]);
});

it('leaves errors as they are until the account is open', async () => {
  const warn = vi.fn();
  const failure = unavailable('Create the database.');
  const storage = { ...memoryStorage(), read: () => Promise.reject(failure) } as PageStorage;

  expect(
    await rejection(new WatchedStorage(storage, 'acct', warn).storage.read({ keys: [] })),
  ).toBe(failure);
  expect(warn).not.toHaveBeenCalled();
});

it('is not good while requests fail, and good afterwards', async () => {
  const { watch, faults } = serving();
  expect(await watch.isGood()).toBe(true);
  faults.read = unavailable('No server.');
  expect(await watch.isGood()).toBe(false);
  faults.read = undefined;
  // The answer comes at once; the storage is tried behind it.
  expect(await watch.isGood()).toBe(false);
  await vi.waitFor(async () => expect(await watch.isGood()).toBe(true));
});

it('is not good any more when the store is gone', async () => {
  const { watch, memory, told } = serving();
  await watch.storage.commit(base);
  expect(await watch.isGood()).toBe(true);
  await memory.destroy();

  expect(await watch.isGood()).toBe(false);
  await memory.commit(base);
  expect(await watch.isGood()).toBe(false);
  expect(told()).toEqual([
    'account acct: requests fail until the server is started again: The store was deleted, or ' +
      'replaced by another, while it was open.',
  ]);
});

it('has the methods of the storage, and no others', () => {
  const { watch } = serving();
  expect(watch.storage).not.toHaveProperty('exclusively');
  expect(new WatchedStorage(memoryStorage(), 'acct', () => {}).storage).toHaveProperty('list');
});
