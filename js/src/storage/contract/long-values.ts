/**
 * Values around the longest that the database takes, and longer ones.
 *
 * @module
 */

import type { PageStorage, StorageKey } from '../page-storage.js';
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

// The most bytes of values in one batch of these checks.
const MOST_BYTES = 8_000_000;

export const LONG_VALUES = [
  check('keeps values around and beyond the longest of the database', async (storage, most) => {
    const lengths = [most - 1, most, most + 1, 2 * most, 3 * most + 1];
    const values = lengths.map((length, at) => filled(at + 1, length));
    for (const [at, value] of values.entries()) {
      await expectOutcome(storage, record(at + 1, value), 'ok');
      await put(storage, [`pages/${at + 1}`, value]);
    }

    await expectValues(
      storage,
      values.map((value, at) => [`pages/${at + 1}`, value] as const),
    );
    const records = values.map((value, at) => [at + 1, value] as const);
    await expectRecords(storage, { keys: [], recordsAfter: 0 }, records);
  }),

  check('compares a value with an expected one that is too long for one', async (storage, most) => {
    const value = filled(1, 2 * most + 1);
    await put(storage, ['log/base', value]);
    const changed = value.slice();
    changed[2 * most]! ^= 1;
    const others = [changed, value.subarray(0, -1), value.subarray(0, most), bytes(), undefined];
    const after = (expected: Uint8Array | undefined) =>
      batch({ expect: [['log/base', expected]], puts: [['log/1', bytes(1)]] });
    for (const other of others) await expectOutcome(storage, after(other), 'moved');
    await expectValues(storage, [['log/1', undefined]]);

    await expectOutcome(storage, after(value), 'ok');
    await expectValues(storage, [
      ['log/1', bytes(1)],
      ['log/base', value],
    ]);
  }),

  check('replaces and deletes values that are too long for one', async (storage, most) => {
    const lengths = [2 * most + 1, 3, 3 * most, 2 * most];
    for (const [at, length] of lengths.entries()) {
      const value = filled(at + 1, length);
      await put(storage, ['pages/7', value], ['log/base', value]);
      await expectValues(storage, [
        ['pages/7', value],
        ['log/base', value],
      ]);
    }
    const keys = (await storage.list?.()) ?? ['log/base', 'pages/7'];
    expectThat([...keys].sort().join() === 'log/base,pages/7', `the keys are ${keys.join()}`);
    await expectOutcome(storage, batch({ deletes: ['pages/7', 'log/base'] }), 'ok');

    await expectValues(storage, [
      ['pages/7', undefined],
      ['log/base', undefined],
    ]);
    expectThat(!(await storage.list?.())?.length, 'keys are left of deleted values');
    await put(storage, ['pages/7', bytes(1)]);
    await expectValues(storage, [['pages/7', bytes(1)]]);
  }),

  check('stores all or nothing of many values that are too long for one', async (storage, most) => {
    const count = Math.min(14, Math.max(2, Math.floor(MOST_BYTES / (most + 1))));
    const puts = Array.from({ length: count }, (_, at): [StorageKey, Uint8Array] => [
      `pages/${at + 1}`,
      filled(at + 1, most + 1 + at),
    ]);
    await put(storage, ['pages/root', bytes(1)]);
    const given = (root: number) =>
      batch({ expect: [['pages/root', bytes(root)]], puts: [...puts, ['pages/root', bytes(2)]] });
    await expectOutcome(storage, given(9), 'moved');
    await expectValues(storage, [
      ...puts.map(([key]) => [key, undefined] as const),
      ['pages/root', bytes(1)],
    ]);

    await expectOutcome(storage, given(1), 'ok');
    await expectValues(storage, [...puts, ['pages/root', bytes(2)]]);
  }),

  check('reads long values of one moment, while commits replace them', async (storage, most) => {
    const keys: StorageKey[] = ['log/base', 'log/1', 'pages/1'];
    const all = (at: number) => {
      const value = filled(at, at % 3 === 0 ? 5 : most + 1 + at);
      return batch({ puts: keys.map((key) => [key, value] as const) });
    };
    await expectOutcome(storage, all(0), 'ok');
    const commits = Array.from({ length: 12 }, (_, at) => storage.commit(all(at + 1)));
    const reads = Array.from({ length: 12 }, () => expectSame(storage, keys));
    const outcomes = (await Promise.all(commits)).map(({ outcome }) => outcome);
    await Promise.all(reads);

    expectThat(
      outcomes.every((outcome) => outcome === 'ok'),
      `the outcomes are ${outcomes.join()}`,
    );
    await expectValues(storage, [['log/1', filled(12, 5)]]);
  }),
];

async function expectSame(storage: PageStorage, keys: StorageKey[]): Promise<void> {
  const { values, records } = await storage.read({ keys, recordsAfter: 0 });
  const seen = [...values, ...records.map(([, value]) => value)];
  const texts = new Set(seen.map((value) => `${value?.[0]} ${value?.at(-1)} ${value?.length}`));
  expectThat(texts.size === 1, 'a read saw a part of a batch');
}

// No part of it equals another one, and it is quick to make.
function filled(seed: number, length: number): Uint8Array {
  const value = new Uint8Array(length).fill(seed);
  for (let at = 0; at < length; at += 251) value[at] = at / 251;
  return value;
}
