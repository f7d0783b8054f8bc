/**
 * A storage is closed, opened again and destroyed.
 *
 * @module
 */

import {
  batch,
  bytes,
  check,
  expectOutcome,
  expectRecords,
  expectThat,
  expectValues,
  put,
  record,
} from './assert.js';

export const LIFE = [
  check('keeps its values when it is closed, and opens at the next use', async (storage) => {
    await put(storage, ['log/1', bytes(1)], ['pages/1', bytes(2)]);
    await storage.close();
    await storage.close();

    await expectValues(storage, [
      ['log/1', bytes(1)],
      ['pages/1', bytes(2)],
    ]);
    await storage.close();
    await expectOutcome(storage, record(1, bytes(9)), 'moved');
    await expectOutcome(storage, record(2, bytes(2)), 'ok');
    await storage.close();
    await expectRecords(storage, { keys: [], recordsAfter: 0 }, [
      [1, bytes(1)],
      [2, bytes(2)],
    ]);
  }),

  check('can be closed before its first use', async (storage) => {
    await storage.close();

    await expectValues(storage, [['log/1', undefined]]);
  }),

  check('ends calls that have begun before it closes', async (storage) => {
    await put(storage, ['log/1', bytes(1)]);
    const read = storage.read({ keys: ['log/1'] });
    const committed = storage.commit(record(2, bytes(2)));
    await storage.close();

    expectThat((await read).values[0]?.[0] === 1, 'a read that had begun is lost');
    expectThat((await committed).outcome === 'ok', 'a commit that had begun is lost');
    await expectValues(storage, [['log/2', bytes(2)]]);
  }),

  check('is empty after it was destroyed, and works again', async (storage) => {
    await put(storage, ['log/1', bytes(1)], ['pages/root', bytes(1)], ['pages/1', bytes(1)]);
    await storage.destroy();

    await expectRecords(storage, { keys: [], recordsAfter: 0 }, []);
    await expectValues(storage, [
      ['log/1', undefined],
      ['pages/root', undefined],
      ['pages/1', undefined],
    ]);
    await expectOutcome(storage, record(1, bytes(2)), 'ok');
    await expectRecords(storage, { keys: [], recordsAfter: 0 }, [[1, bytes(2)]]);
  }),

  check('can be destroyed when it is closed, was never used, or was destroyed', async (storage) => {
    await storage.destroy();
    await storage.destroy();
    await put(storage, ['log/1', bytes(1)]);
    await storage.close();
    await storage.destroy();

    await expectValues(storage, [['log/1', undefined]]);
    await expectOutcome(storage, batch({ deletes: ['log/1'] }), 'ok');
  }),
];
