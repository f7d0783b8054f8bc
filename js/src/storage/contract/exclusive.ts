/**
 * Checks of `exclusively`, for storages that have it.
 *
 * @module
 */

import type { CommitResult, PageStorage, Snapshot } from '../page-storage.js';
import {
  bytes,
  check,
  expectRecords,
  expectThat,
  expectValues,
  put,
  record,
  type StorageCheck,
} from './assert.js';

type Exclusive = PageStorage & Required<Pick<PageStorage, 'exclusively'>>;

const ALL = { keys: ['log/base', 'pages/root'], recordsAfter: 1 } as const;

function checkIfThere(name: string, work: (storage: Exclusive) => Promise<void>): StorageCheck {
  return check(`exclusively: ${name}`, async (storage) => {
    if (storage.exclusively) await work(storage as Exclusive);
  });
}

export const EXCLUSIVE = [
  checkIfThere('gives decide() the stored values, and stores its batch', async (storage) => {
    await put(storage, ['log/base', bytes(7)], ['log/1', bytes(1)], ['log/2', bytes(2)]);
    const seen: Snapshot[] = [];
    const result = await storage.exclusively(ALL, (snapshot) => {
      seen.push(snapshot);
      return record(3, bytes(3));
    });

    expectThat(result?.outcome === 'ok', `the outcome is ${result?.outcome}`);
    expectThat(seen.length === 1, `decide() was called ${seen.length} times`);
    const { values, records } = seen[0]!;
    expectThat(
      values.length === 2 && values[0]?.[0] === 7 && values[1] === undefined,
      'decide() got other values',
    );
    expectThat(
      records.length === 1 && records[0]![0] === 2 && records[0]![1][0] === 2,
      'decide() got other records',
    );
    await expectValues(storage, [['log/3', bytes(3)]]);
    await expectRecords(storage, { keys: [], recordsAfter: 2 }, [[3, bytes(3)]]);
  }),

  checkIfThere('stores nothing if decide() returns undefined', async (storage) => {
    const result = await storage.exclusively(ALL, () => undefined);

    expectThat(result === undefined, 'there is an outcome without a batch');
    await expectRecords(storage, { keys: [], recordsAfter: 0 }, []);
  }),

  checkIfThere('lets no other account write between the read and the commit', async (storage) => {
    const others: Promise<CommitResult>[] = [];
    const result = await storage.exclusively(ALL, () => {
      others.push(storage.commit(record(1, bytes(9))));
      return record(1, bytes(1));
    });
    const [other] = await Promise.all(others);

    expectThat(result?.outcome === 'ok', `the outcome is ${result?.outcome}`);
    expectThat(other?.outcome === 'moved', `the outcome of the other commit is ${other?.outcome}`);
    await expectValues(storage, [['log/1', bytes(1)]]);
  }),

  checkIfThere('copies the batch of decide()', async (storage) => {
    const value = bytes(1);
    await storage.exclusively(ALL, () => {
      queueMicrotask(() => value.fill(9));
      return record(1, value);
    });

    await expectValues(storage, [['log/1', bytes(1)]]);
  }),
];
