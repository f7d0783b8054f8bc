/**
 * All of a batch, or nothing; and nothing unless every expectation holds.
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
  check('puts over what is there, if nothing speaks against it', async (storage) => {
    await put(storage, ['log/base', bytes(1)], ['log/1', bytes(1)]);
    await put(storage, ['log/base', bytes(2, 2)], ['log/1', bytes()]);

    await expectValues(storage, [
      ['log/base', bytes(2, 2)],
      ['log/1', bytes()],
    ]);
  }),

  check('deletes, also what is not there', async (storage) => {
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

  check('takes a batch that changes nothing, and still judges it', async (storage) => {
    await put(storage, ['log/base', bytes(1)]);

    await expectOutcome(storage, batch({}), 'ok');
    await expectOutcome(storage, batch({ expect: [['log/base', bytes(1)]] }), 'ok');
    await expectOutcome(storage, batch({ expect: [['log/base', bytes(2)]] }), 'moved');
  }),

  check('stores a record that must not be there yet, once', async (storage) => {
    await expectOutcome(storage, record(1, bytes(1)), 'ok');
    await expectOutcome(storage, record(1, bytes(2)), 'moved');

    await expectValues(storage, [['log/1', bytes(1)]]);
  }),

  ...COMPARISONS.map(([what, expected, outcome]) =>
    check(`compares what is there with what is expected: ${what}`, async (storage) => {
      await put(storage, ['log/base', bytes(1, 2)]);
      const made = batch({ expect: [['log/base', expected]], puts: [['log/1', bytes(5)]] });
      await expectOutcome(storage, made, outcome);

      await expectValues(storage, [['log/1', outcome === 'ok' ? bytes(5) : undefined]]);
    }),
  ),

  check('finds moved what is expected and is not there', async (storage) => {
    const made = batch({ expect: [['log/base', bytes(1)]], puts: [['log/1', bytes(5)]] });
    await expectOutcome(storage, made, 'moved');

    await expectValues(storage, [['log/1', undefined]]);
  }),

  check('expects nothing where something was deleted', async (storage) => {
    await put(storage, ['log/1', bytes(1)]);
    await expectOutcome(storage, batch({ deletes: ['log/1'] }), 'ok');

    await expectOutcome(storage, record(1, bytes(2)), 'ok');
  }),

  ...[0, 1, 2].map((failing) =>
    check(`stores nothing if expectation ${failing + 1} of 3 does not hold`, async (storage) => {
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

  check('stores nothing of a batch whose last record is there already', async (storage) => {
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

  check('judges and stores a batch that makes room as any other', async (storage) => {
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
