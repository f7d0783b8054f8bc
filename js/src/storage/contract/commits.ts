/**
 * A commit stores all of its batch or nothing, and nothing if an expectation fails.
 *
 * @module
 */

import type { CommitOutcome, StorageKey } from '../page-storage.js';
import {
  batch,
  bytes,
  check,
  expectOutcome,
  expectThat,
  expectValues,
  put,
  record,
} from './assert.js';

const COMPARISONS: readonly [string, Uint8Array | undefined, CommitOutcome][] = [
  ['the same value', bytes(1, 2), 'ok'],
  ['a value that differs', bytes(1, 3), 'moved'],
  ['a longer value that begins alike', bytes(1, 2, 3), 'moved'],
  ['a shorter value that begins alike', bytes(1), 'moved'],
  ['an empty value', bytes(), 'moved'],
  ['nothing', undefined, 'moved'],
];

export const COMMITS = [
  check('overwrites a value, if no expectation forbids it', async (storage) => {
    await put(storage, ['log/base', bytes(1)], ['log/1', bytes(1)]);
    await put(storage, ['log/base', bytes(2, 2)], ['log/1', bytes()]);

    await expectValues(storage, [
      ['log/base', bytes(2, 2)],
      ['log/1', bytes()],
    ]);
  }),

  check('deletes a key, also one without a value', async (storage) => {
    await put(storage, ['pages/1', bytes(1)], ['pages/2', bytes(2)]);
    await expectOutcome(storage, batch({ deletes: ['pages/1', 'pages/9', 'log/base'] }), 'ok');

    await expectValues(storage, [
      ['pages/1', undefined],
      ['pages/2', bytes(2)],
    ]);
  }),

  check('deletes before it puts', async (storage) => {
    await put(storage, ['pages/1', bytes(1)]);
    await expectOutcome(
      storage,
      batch({ puts: [['pages/1', bytes(2)]], deletes: ['pages/1'] }),
      'ok',
    );

    await expectValues(storage, [['pages/1', bytes(2)]]);
  }),

  check(
    'takes a batch that changes nothing, and still checks its expectations',
    async (storage) => {
      await put(storage, ['log/base', bytes(1)]);

      await expectOutcome(storage, batch({}), 'ok');
      await expectOutcome(storage, batch({ expect: [['log/base', bytes(1)]] }), 'ok');
      await expectOutcome(storage, batch({ expect: [['log/base', bytes(2)]] }), 'moved');
    },
  ),

  check('stores a record that must not exist yet, once', async (storage) => {
    await expectOutcome(storage, record(1, bytes(1)), 'ok');
    await expectOutcome(storage, record(1, bytes(2)), 'moved');

    await expectValues(storage, [['log/1', bytes(1)]]);
  }),

  ...COMPARISONS.map(([what, expected, outcome]) =>
    check(`compares a value with the expected one: ${what}`, async (storage) => {
      await put(storage, ['log/base', bytes(1, 2)]);
      const made = batch({ expect: [['log/base', expected]], puts: [['log/1', bytes(5)]] });
      await expectOutcome(storage, made, outcome);

      await expectValues(storage, [['log/1', outcome === 'ok' ? bytes(5) : undefined]]);
    }),
  ),

  check('answers moved if an expected value does not exist', async (storage) => {
    const made = batch({ expect: [['log/base', bytes(1)]], puts: [['log/1', bytes(5)]] });
    await expectOutcome(storage, made, 'moved');

    await expectValues(storage, [['log/1', undefined]]);
  }),

  check('keeps the expectation of no value for a deleted key', async (storage) => {
    await put(storage, ['log/1', bytes(1)]);
    await expectOutcome(storage, batch({ deletes: ['log/1'] }), 'ok');

    await expectOutcome(storage, record(1, bytes(2)), 'ok');
  }),

  ...[0, 1, 2].map((failing) =>
    check(`stores nothing if expectation ${failing + 1} of 3 fails`, async (storage) => {
      const keys: StorageKey[] = ['log/base', 'pages/root', 'pages/1'];
      for (const key of keys) await put(storage, [key, bytes(1)]);
      const made = batch({
        expect: keys.map((key, at) => [key, at === failing ? bytes(2) : bytes(1)] as const),
        puts: [...keys.map((key) => [key, bytes(9)] as const), ['log/1', bytes(9)]],
        deletes: ['pages/1'],
      });
      await expectOutcome(storage, made, 'moved');

      await expectValues(storage, [
        ...keys.map((key) => [key, bytes(1)] as const),
        ['log/1', undefined],
      ]);
    }),
  ),

  check('stores nothing of a batch whose last record exists already', async (storage) => {
    await put(storage, ['log/2', bytes(2)]);
    const made = batch({
      expect: [
        ['log/1', undefined],
        ['log/2', undefined],
      ],
      puts: [
        ['log/1', bytes(1)],
        ['log/2', bytes(9)],
      ],
    });
    await expectOutcome(storage, made, 'moved');

    await expectValues(storage, [
      ['log/1', undefined],
      ['log/2', bytes(2)],
    ]);
  }),

  check('stores all of a batch over both stores', async (storage) => {
    await put(storage, ['pages/root', bytes(1)], ['log/1', bytes(1)], ['log/2', bytes(2)]);
    const made = batch({
      expect: [
        ['pages/root', bytes(1)],
        ['pages/1', undefined],
      ],
      puts: [
        ['pages/root', bytes(2)],
        ['pages/1', bytes(3)],
        ['log/3', bytes(4)],
      ],
      deletes: ['log/1', 'log/2'],
    });
    await expectOutcome(storage, made, 'ok');

    await expectValues(storage, [
      ['pages/root', bytes(2)],
      ['pages/1', bytes(3)],
      ['log/3', bytes(4)],
      ['log/1', undefined],
      ['log/2', undefined],
    ]);
  }),

  check('compares and stores a batch that makes room like any other', async (storage) => {
    await put(storage, ['log/base', bytes(1)], ['log/1', bytes(1)]);
    const made = batch({
      expect: [['log/base', bytes(1)]],
      puts: [['pages/1', bytes(2)]],
      deletes: ['log/1'],
    });
    await expectOutcome(storage, { ...record(1, bytes(9)), frees: true }, 'moved');
    await expectOutcome(storage, { ...made, frees: true }, 'ok');

    await expectValues(storage, [
      ['log/1', undefined],
      ['pages/1', bytes(2)],
    ]);
    await expectOutcome(storage, record(1, bytes(3)), 'ok');
  }),

  ...(['relaxed', 'strict'] as const).map((durability) =>
    check(`commits with ${durability} durability`, async (storage) => {
      const { outcome } = await storage.commit(record(1, bytes(1)), { durability });
      expectThat(outcome === 'ok', `the outcome is ${outcome}`);

      await expectValues(storage, [['log/1', bytes(1)]]);
      const again = await storage.commit(record(1, bytes(2)), { durability });
      expectThat(again.outcome === 'moved', `the second outcome is ${again.outcome}`);
    }),
  ),
];
