/**
 * The storage and its callers share no bytes.
 *
 * @module
 */

import { isBytes } from '../../base/kinds.js';
import type { StorageKey } from '../page-storage.js';
import { batch, bytes, check, expectRecords, expectThat, expectValues, put } from './assert.js';

export const COPIES = [
  check('copies the values of a batch before the call returns', async (storage) => {
    const value = bytes(1, 2);
    const committed = storage.commit(batch({ puts: [['log/1', value]] }));
    value.fill(9);
    await committed;

    await expectValues(storage, [['log/1', bytes(1, 2)]]);
    await expectRecords(storage, { keys: [], recordsAfter: 0 }, [[1, bytes(1, 2)]]);
  }),

  check('copies the expected values before the call returns', async (storage) => {
    await put(storage, ['log/base', bytes(1)]);
    const expected = bytes(1);
    const committed = storage.commit(
      batch({ expect: [['log/base', expected]], puts: [['log/1', bytes(1)]] }),
    );
    expected.fill(9);

    expectThat((await committed).outcome === 'ok', 'an expected value changed after the call');
  }),

  check('copies the keys of a read before the call returns', async (storage) => {
    await put(storage, ['log/1', bytes(1)], ['pages/1', bytes(2)]);
    const keys: StorageKey[] = ['pages/1'];
    const reading = storage.read({ keys });
    keys[0] = 'log/1';
    keys.push('pages/1');

    const { values } = await reading;
    expectThat(values.length === 1 && values[0]?.[0] === 2, 'a read uses its keys after the call');
  }),

  check('returns values that the caller may change', async (storage) => {
    await put(storage, ['log/1', bytes(1)], ['pages/1', bytes(2)]);
    const { values } = await storage.read({ keys: ['log/1', 'pages/1'] });
    for (const value of values) value!.fill(9);

    await expectValues(storage, [
      ['log/1', bytes(1)],
      ['pages/1', bytes(2)],
    ]);
  }),

  check('returns records that the caller may change', async (storage) => {
    await put(storage, ['log/1', bytes(1)], ['log/2', bytes(2)]);
    const { records } = await storage.read({ keys: [], recordsAfter: 0 });
    for (const [, value] of records) value.fill(9);

    await expectRecords(storage, { keys: [], recordsAfter: 0 }, [
      [1, bytes(1)],
      [2, bytes(2)],
    ]);
  }),

  check('returns a copy for each time that a key is requested', async (storage) => {
    await put(storage, ['log/1', bytes(1)]);
    const { values, records } = await storage.read({
      keys: ['log/1', 'log/1'],
      recordsAfter: 0,
    });
    values[0]!.fill(9);

    expectThat(values[1]![0] === 1, 'two values of one read share their bytes');
    expectThat(records[0]![1][0] === 1, 'a value and a record of one read share their bytes');
  }),

  check('gives each value a buffer of its own, of its length', async (storage) => {
    const heap = new Uint8Array(1024).fill(7);
    await put(storage, ['log/1', heap.subarray(8, 10)], ['log/2', heap.subarray(20, 23)]);

    const { values, records } = await storage.read({ keys: ['log/1', 'log/2'], recordsAfter: 0 });

    await expectValues(storage, [['log/1', bytes(7, 7)]]);
    for (const value of [...values, ...records.map(([, one]) => one)]) {
      expectThat(isBytes(value), 'a value is not a Uint8Array');
      expectThat(
        value!.buffer.byteLength === value!.length,
        'the buffer of a value holds more than the value',
      );
    }
  }),
];
