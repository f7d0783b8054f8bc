// Reads of one moment with several calls, while other accounts commit.

import { describe, expect, it, vi } from 'vitest';

import { denoKvStorage } from '../../../../js/src/storage/deno-kv.js';
import type { Batch, PageStorage, StorageKey } from '../../../../js/src/storage/page-storage.js';
import { KvDouble } from '../../support/deno-kv/double.js';
import { randomNumbers } from '../../support/random-numbers.js';

vi.setConfig({ testTimeout: 60_000 });

const number = (value: number) => Uint8Array.of(value >> 8, value & 255);
const numberIn = (value: Uint8Array | undefined) => value && value[0]! * 256 + value[1]!;

function database(seed: number) {
  const random = randomNumbers(seed);
  const kv = new KvDouble();
  kv.pause = async () => {
    for (let turns = random(4); turns > 0; turns--) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  return kv;
}

async function commit(storage: PageStorage, batch: Partial<Batch>): Promise<void> {
  const result = await storage.commit({ expect: [], puts: [], deletes: [], ...batch });
  expect(result).toEqual({ outcome: 'ok' });
}

describe.each([1, 2, 3, 4])('with pauses by seed %i', (seed) => {
  it('values are those of one commit', async () => {
    const kv = database(seed);
    const [writer, reader] = [denoKvStorage(kv, 'a'), denoKvStorage(kv, 'a')];
    const [GENERATIONS, PAGES] = [12, 25];
    // Each commit puts the pages of a generation, and deletes those of the one before.
    const pagesOf = (generation: number) =>
      Array.from({ length: PAGES }, (_, at): StorageKey => `pages/${generation * 100 + at}`);
    const step = (generation: number) =>
      commit(writer, {
        puts: [...pagesOf(generation), 'pages/root' as const].map((key) => [
          key,
          number(generation),
        ]),
        deletes: pagesOf(generation - 1),
      });
    await step(1);
    const progress = { isOver: false };
    const writing = (async () => {
      for (let at = 2; at <= GENERATIONS; at++) await step(at);
      progress.isOver = true;
    })();
    const all = Array.from({ length: GENERATIONS }, (_, at) => pagesOf(at + 1)).flat();
    while (!progress.isOver) {
      const { values } = await reader.read({ keys: ['pages/root', ...all] });
      const [root, ...pages] = values.map(numberIn);
      expect(pages.filter((page) => page !== undefined)).toEqual(Array(PAGES).fill(root));
      expect(pages.indexOf(root)).toBe((root! - 1) * PAGES);
    }
    await writing;
  });

  it('more records than one call lists are those of one moment', async () => {
    const kv = database(seed);
    const [writer, other, reader] = Array.from({ length: 3 }, () => denoKvStorage(kv, 'a'));
    for (let at = 1; at <= 1200; at += 400) {
      const puts = Array.from(
        { length: 400 },
        (_, plus) => [`log/${at + plus}`, number(at + plus)] as const,
      );
      await commit(writer!, { puts });
    }
    await commit(writer!, { puts: [['log/base', number(0)]] });
    const progress = { isOver: false };
    const writing = (async () => {
      for (let at = 1; at <= 20; at++) {
        await commit(writer!, { puts: [[`log/${1200 + at}`, number(1200 + at)]] });
      }
    })();
    const flushing = (async () => {
      for (let at = 0; at < 600; at += 200) {
        const deletes = Array.from(
          { length: 200 },
          (_, plus): StorageKey => `log/${at + plus + 1}`,
        );
        await commit(other!, { puts: [['log/base', number(at + 200)]], deletes });
      }
    })();
    void Promise.all([writing, flushing]).finally(() => (progress.isOver = true));
    do {
      const { values, records } = await reader!.read({ keys: ['log/base'], recordsAfter: 0 });
      const first = numberIn(values[0])! + 1;
      expect(records[0]![0]).toBe(first);
      expect(records.map(([one]) => one)).toEqual(records.map((_, at) => first + at));
      expect(records.map(([, value]) => numberIn(value))).toEqual(records.map(([one]) => one));
    } while (!progress.isOver);
    await Promise.all([writing, flushing]);
  });
});

// Commits once between the calls of a read.
async function readAround(kv: KvDouble, batch: Partial<Batch>): Promise<(number | undefined)[]> {
  const { list } = kv;
  kv.list = async function* (range, options) {
    yield* list.call(kv, range, options);
    kv.list = list;
    await commit(denoKvStorage(kv, 'a'), batch);
  };
  const keys = ['pages/root', 'pages/1', 'pages/2'] as const;
  return (await denoKvStorage(kv, 'a').read({ keys })).values.map(numberIn);
}

describe('a read between whose calls another account', () => {
  const all = (value: number) =>
    (['pages/root', 'pages/1', 'pages/2'] as const).map((key) => [key, number(value)] as const);

  it.each([
    { does: 'deletes', batch: { deletes: ['pages/1' as const] }, seen: [2, undefined, 1] },
    { does: 'overwrites', batch: { puts: all(2) }, seen: [2, 2, 2] },
    { does: 'adds', batch: { puts: all(2), deletes: [] }, seen: [2, 2, 2], isEmpty: true },
  ])('$does a value sees all of its commit', async ({ batch, seen, isEmpty }) => {
    const kv = new KvDouble();
    if (!isEmpty) await commit(denoKvStorage(kv, 'a'), { puts: all(1) });

    const puts = [...(batch.puts ?? []), ['pages/root', number(2)] as const];
    expect(await readAround(kv, { ...batch, puts })).toEqual(seen);
  });

  it('does something else is not repeated', async () => {
    const kv = new KvDouble();
    await commit(denoKvStorage(kv, 'a'), { puts: all(1) });
    const { list } = kv.calls;

    expect(await readAround(kv, { deletes: ['pages/9'] })).toEqual([1, 1, 1]);
    expect(kv.calls.list - list).toBeLessThan(4);
  });
});

it('a read of a thousand keys of records takes few calls', async () => {
  const kv = new KvDouble();
  const storage = denoKvStorage(kv, 'a');
  const keys = Array.from({ length: 1000 }, (_, at): StorageKey => `log/${at + 1}`);
  for (const some of [keys.slice(0, 500), keys.slice(500)]) {
    await commit(storage, { puts: some.map((key) => [key, number(1)] as const) });
  }
  kv.calls = { getMany: 0, list: 0, commit: 0 };
  const { values } = await storage.read({ keys });

  expect(values.map(numberIn)).toEqual(keys.map(() => 1));
  expect(kv.calls.getMany + kv.calls.list).toBeLessThan(6);
});

it('a read of records does not begin again because others are appended', async () => {
  const kv = new KvDouble();
  const [writer, reader] = [denoKvStorage(kv, 'a'), denoKvStorage(kv, 'a')];
  for (let at = 0; at < 3; at++) {
    const puts = Array.from({ length: 500 }, (_, plus) => {
      return [`log/${at * 500 + plus + 1}`, number(1)] as const;
    });
    await commit(writer, { puts });
  }
  let next = 1501;
  const { list } = kv;
  kv.list = async function* (range, options) {
    yield* list.call(kv, range, options);
    const key: StorageKey = `log/${next++}`;
    await commit(writer, { expect: [[key, undefined]], puts: [[key, number(1)]] });
  };
  const { records } = await reader.read({ keys: [], recordsAfter: 0 });

  expect(records.length).toBe(1500);
});
