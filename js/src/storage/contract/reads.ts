/**
 * The results of reads.
 *
 * @module
 */

import type { StorageKey } from '../page-storage.js';
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

const LAST_NUMBER = Number.MAX_SAFE_INTEGER;

export const READS = [
  check('has no value for a key that was never put', (storage) =>
    expectValues(storage, [
      ['log/base', undefined],
      ['log/1', undefined],
      ['pages/root', undefined],
      ['pages/1', undefined],
    ]),
  ),

  check('reads nothing for an empty request', async (storage) => {
    const { values, records } = await storage.read({ keys: [] });
    expectThat(values.length === 0 && records.length === 0, 'something was read');
  }),

  check('returns values in the order of the keys, also the same one twice', async (storage) => {
    await put(storage, ['pages/1', bytes(1)], ['pages/2', bytes(2)], ['pages/root', bytes(0)]);

    await expectValues(storage, [
      ['pages/2', bytes(2)],
      ['pages/root', bytes(0)],
      ['pages/2', bytes(2)],
      ['pages/3', undefined],
      ['pages/1', bytes(1)],
    ]);
  }),

  check('keeps the log and the pages apart, and numbers from names', async (storage) => {
    await put(storage, ['log/7', bytes(1)], ['pages/7', bytes(2)]);
    await put(storage, ['log/base', bytes(3)], ['pages/root', bytes(4)]);

    await expectValues(storage, [
      ['log/7', bytes(1)],
      ['pages/7', bytes(2)],
      ['log/base', bytes(3)],
      ['pages/root', bytes(4)],
    ]);
  }),

  check('keeps an empty value, which differs from no value', async (storage) => {
    await put(storage, ['log/1', bytes()]);

    await expectValues(storage, [['log/1', bytes()]]);
    await expectRecords(storage, { keys: [], recordsAfter: 0 }, [[1, bytes()]]);
    const notThere = batch({ expect: [['log/1', undefined]], puts: [['log/2', bytes(1)]] });
    await expectOutcome(storage, notThere, 'moved');
    const empty = batch({ expect: [['log/1', bytes()]], puts: [['log/2', bytes(1)]] });
    await expectOutcome(storage, empty, 'ok');
  }),

  check('keeps long values and many values of one batch, byte for byte', async (storage) => {
    const page = (seed: number, length: number) => {
      const value = new Uint8Array(length);
      for (let at = 0; at < length; at++) value[at] = at * seed + (at >> 8);
      return value;
    };
    const puts = Array.from({ length: 20 }, (_, at): [StorageKey, Uint8Array] => [
      `pages/${at + 1}`,
      page(at + 3, 60_000),
    ]);
    await put(storage, ...puts, ['log/1', page(5, 2 ** 20 + 1)]);

    await expectValues(storage, [...puts, ['log/1', page(5, 2 ** 20 + 1)]]);
  }),

  // docs/guides/storage-adapter.md says how long values become.
  check('keeps a record of the length of the longest transaction', async (storage) => {
    const value = new Uint8Array(5_000_000);
    for (let at = 0; at < value.length; at += 4_093) value[at] = at % 251;
    await expectOutcome(storage, record(1, value), 'ok');

    await expectRecords(storage, { keys: [], recordsAfter: 0 }, [[1, value]]);
  }),

  check('returns the records above a number, by number and not as text', async (storage) => {
    await put(storage, ['log/base', bytes(0)], ['pages/10', bytes(0)], ['pages/root', bytes(0)]);
    for (const number of [9, 2, 11, 10, 1, 100]) {
      await put(storage, [`log/${number}`, bytes(number)]);
    }

    await expectRecords(storage, { keys: ['log/base'], recordsAfter: 2 }, [
      [9, bytes(9)],
      [10, bytes(10)],
      [11, bytes(11)],
      [100, bytes(100)],
    ]);
    const all = [1, 2, 9, 10, 11, 100].map((number) => [number, bytes(number)] as const);
    await expectRecords(storage, { keys: [], recordsAfter: 0 }, all);
  }),

  check('takes numbers up to 2^53 - 1', async (storage) => {
    await put(storage, ['log/1', bytes(1)], [`log/${LAST_NUMBER}`, bytes(2)]);
    await put(storage, [`pages/${LAST_NUMBER}`, bytes(3)]);

    await expectValues(storage, [[`pages/${LAST_NUMBER}`, bytes(3)]]);
    await expectRecords(storage, { keys: [], recordsAfter: 1 }, [[LAST_NUMBER, bytes(2)]]);
    await expectRecords(storage, { keys: [], recordsAfter: LAST_NUMBER }, []);
  }),

  check('returns records only if they are requested', async (storage) => {
    await put(storage, ['log/1', bytes(1)]);

    await expectRecords(storage, { keys: ['log/1'] }, []);
    await expectRecords(storage, { keys: [], recordsAfter: undefined }, []);
    await expectRecords(storage, { keys: [], recordsAfter: 1 }, []);
  }),

  check('returns no deleted record, and the new value of a record', async (storage) => {
    for (const number of [1, 2, 3, 4]) await put(storage, [`log/${number}`, bytes(number)]);
    await expectOutcome(storage, batch({ deletes: ['log/1', 'log/3'] }), 'ok');
    await put(storage, ['log/2', bytes(9)], ['log/3', bytes(8)]);

    await expectRecords(storage, { keys: [], recordsAfter: 0 }, [
      [2, bytes(9)],
      [3, bytes(8)],
      [4, bytes(4)],
    ]);
  }),

  check('lists the keys of all values, if it lists keys', async (storage) => {
    await put(storage, ['log/base', bytes(1)], ['log/7', bytes(2)], ['pages/root', bytes(3)]);
    await put(storage, ['pages/7', bytes(4)], ['pages/12', bytes(5)], ['pages/100', bytes(6)]);
    await expectOutcome(storage, batch({ deletes: ['pages/12'] }), 'ok');

    const keys = await storage.list?.();
    const expected = 'log/7 log/base pages/100 pages/7 pages/root';
    const found = keys && [...keys].sort().join(' ');
    expectThat(!keys || found === expected, `the keys are ${found}`);
  }),
];
