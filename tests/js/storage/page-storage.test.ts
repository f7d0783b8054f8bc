import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Batch, PageStorage, StorageKey } from '../../../js/src/storage/page-storage.js';
import { STORAGES } from '../support/storages.js';

const bytes = (...values: number[]) => Uint8Array.from(values);

const record = (number: number, value: number): Batch => ({
  expect: [[`log/${number}`, undefined]],
  puts: [[`log/${number}`, bytes(value)]],
  deletes: [],
});

describe.each(STORAGES)('$adapter storage', ({ open }) => {
  let storage: PageStorage;

  beforeEach(() => {
    storage = open();
  });
  afterEach(() => storage.destroy());

  const put = async (...puts: [StorageKey, Uint8Array][]) =>
    expect(await storage.commit({ expect: [], puts, deletes: [] })).toEqual({ outcome: 'ok' });
  const values = async (...keys: StorageKey[]) => (await storage.read({ keys })).values;

  it('has nothing under a key that was never put', async () => {
    expect(await values('log/base', 'log/1')).toEqual([undefined, undefined]);
    expect(await values('pages/root')).toEqual([undefined]);
  });

  it('reads nothing if asked for nothing', async () => {
    expect(await storage.read({ keys: [] })).toEqual({ values: [], records: [] });
  });

  it('returns values in the order of the keys, and those of one key as often as asked', async () => {
    await put(['pages/1', bytes(1)], ['pages/2', bytes(2)], ['pages/root', bytes(0)]);

    expect(await values('pages/2', 'pages/root', 'pages/2', 'pages/3')).toEqual([
      bytes(2),
      bytes(0),
      bytes(2),
      undefined,
    ]);
  });

  it('keeps its own copy, so a caller may reuse its buffer at once', async () => {
    const value = bytes(1);
    const committed = storage.commit({ expect: [], puts: [['log/1', value]], deletes: [] });
    value[0] = 9;
    await committed;

    expect(await values('log/1')).toEqual([bytes(1)]);
  });

  it('hands out copies, so a caller may change what it was given', async () => {
    await put(['log/1', bytes(1)]);
    const [value] = await values('log/1');
    value![0] = 9;
    const [[, tail]] = (await storage.read({ keys: [], recordsAfter: 0 })).records as [
      [0, Uint8Array],
    ];
    tail[0] = 9;

    expect(await values('log/1')).toEqual([bytes(1)]);
  });

  it('keeps no more than the view that it was given', async () => {
    const heap = new Uint8Array(1024).fill(7);
    await put(['log/1', heap.subarray(8, 10)]);

    const [value] = await values('log/1');

    expect(value).toEqual(bytes(7, 7));
    expect(value!.buffer.byteLength).toBe(2);
  });

  it('returns the records after a number, ascending by number and not by text', async () => {
    await put(['log/base', bytes(0)]);
    for (let number = 1; number <= 11; number++) await put([`log/${number}`, bytes(number)]);

    const { values, records } = await storage.read({ keys: ['log/base'], recordsAfter: 8 });

    expect(values).toEqual([bytes(0)]);
    expect(records).toEqual([
      [9, bytes(9)],
      [10, bytes(10)],
      [11, bytes(11)],
    ]);
  });

  it('returns no records if none was asked for, and none if there are no more', async () => {
    await put(['log/1', bytes(1)]);

    expect((await storage.read({ keys: ['log/1'] })).records).toEqual([]);
    expect((await storage.read({ keys: [], recordsAfter: 1 })).records).toEqual([]);
  });

  it('puts over what is there, if nothing speaks against it', async () => {
    await put(['log/base', bytes(1)]);
    await put(['log/base', bytes(2)]);

    expect(await values('log/base')).toEqual([bytes(2)]);
  });

  it('deletes, also what is not there', async () => {
    await put(['pages/1', bytes(1)], ['pages/2', bytes(2)]);

    const deletes: StorageKey[] = ['pages/1', 'pages/9'];
    expect(await storage.commit({ expect: [], puts: [], deletes })).toEqual({ outcome: 'ok' });

    expect(await values('pages/1', 'pages/2')).toEqual([undefined, bytes(2)]);
  });

  it('stores a record that must not exist yet, once', async () => {
    expect((await storage.commit(record(1, 1))).outcome).toBe('ok');
    expect((await storage.commit(record(1, 2))).outcome).toBe('moved');

    expect(await values('log/1')).toEqual([bytes(1)]);
  });

  it('lets exactly one of two writers add a record', async () => {
    const results = await Promise.all([storage.commit(record(1, 1)), storage.commit(record(1, 2))]);

    expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'moved']);
    expect(await values('log/1')).toEqual([bytes(1)]);
  });

  it.each<[string, Uint8Array | undefined, string]>([
    ['the same value', bytes(1, 2), 'ok'],
    ['a value that differs', bytes(1, 3), 'moved'],
    ['a value that begins alike', bytes(1, 2, 3), 'moved'],
    ['nothing', undefined, 'moved'],
  ])('compares what is expected with what is there: %s', async (_what, expected, outcome) => {
    await put(['log/base', bytes(1, 2)]);

    const result = await storage.commit({
      expect: [['log/base', expected]],
      puts: [['log/1', bytes(5)]],
      deletes: [],
    });

    expect(result.outcome).toBe(outcome);
    expect(await values('log/1')).toEqual([outcome === 'ok' ? bytes(5) : undefined]);
  });

  it('finds moved what it expects to be there, and is not', async () => {
    const result = await storage.commit({
      expect: [['log/base', bytes(1)]],
      puts: [['log/1', bytes(5)]],
      deletes: [],
    });

    expect(result.outcome).toBe('moved');
  });

  it('stores all of a batch over both stores, or nothing', async () => {
    await put(['pages/root', bytes(1)], ['log/1', bytes(1)], ['log/2', bytes(2)]);
    const batch: Batch = {
      expect: [
        ['pages/root', bytes(1)],
        ['pages/1', undefined],
        ['log/2', undefined],
      ],
      puts: [
        ['pages/root', bytes(2)],
        ['pages/1', bytes(3)],
      ],
      deletes: ['log/1'],
    };

    expect((await storage.commit(batch)).outcome).toBe('moved');
    expect(await values('pages/root', 'pages/1')).toEqual([bytes(1), undefined]);
    expect(await values('log/1')).toEqual([bytes(1)]);

    const fits = { ...batch, expect: batch.expect.slice(0, 2) };
    expect((await storage.commit(fits)).outcome).toBe('ok');
    expect(await values('pages/root', 'pages/1')).toEqual([bytes(2), bytes(3)]);
    expect(await values('log/1')).toEqual([undefined]);
  });

  it('stores nothing of a batch whose last record is there already', async () => {
    await put(['log/2', bytes(2)]);

    const result = await storage.commit({
      expect: [
        ['log/1', undefined],
        ['log/2', undefined],
      ],
      puts: [
        ['log/1', bytes(1)],
        ['log/2', bytes(9)],
      ],
      deletes: [],
    });

    expect(result.outcome).toBe('moved');
    expect(await values('log/1', 'log/2')).toEqual([undefined, bytes(2)]);
  });

  it.each(['relaxed', 'strict'] as const)('commits with %s durability', async (durability) => {
    expect((await storage.commit(record(1, 1), { durability })).outcome).toBe('ok');
    expect(await values('log/1')).toEqual([bytes(1)]);
  });

  it('keeps what it has when it is closed, and opens at the next use', async () => {
    await put(['log/1', bytes(1)]);

    await storage.close();
    await storage.close();

    expect(await values('log/1')).toEqual([bytes(1)]);
    expect((await storage.commit(record(2, 2))).outcome).toBe('ok');
  });

  it('is empty after it was destroyed, and can be used again', async () => {
    await put(['log/1', bytes(1)], ['pages/1', bytes(1)]);

    await storage.destroy();

    expect(await storage.read({ keys: ['log/1'], recordsAfter: 0 })).toEqual({
      values: [undefined],
      records: [],
    });
    expect((await storage.commit(record(1, 1))).outcome).toBe('ok');
  });
});
