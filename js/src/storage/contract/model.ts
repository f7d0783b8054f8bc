/**
 * Random batches, compared with a map.
 *
 * @module
 */

import { sameBytes } from '../bytes.js';
import type { Batch, PageStorage, StorageKey } from '../page-storage.js';
import { check, expectOutcome, expectRecords, expectValues } from './assert.js';

const BATCHES = 150;
const KEYS: readonly StorageKey[] = [
  ...(['log/base', 'pages/root', 'pages/0'] as const),
  ...[1, 2, 9, 10, 11, 20].flatMap((number) => [`log/${number}`, `pages/${number}`] as const),
];

type Model = Map<StorageKey, Uint8Array>;

export const MODEL = [
  check('equals a map, after any batches', async (storage) => {
    const random = randomNumbers(1);
    const model: Model = new Map();
    for (let step = 0; step < BATCHES; step++) {
      const made = randomBatch(random, model);
      const holds = made.expect.every(([key, value]) => sameBytes(model.get(key), value));
      await expectOutcome(storage, made, holds ? 'ok' : 'moved');
      if (holds) apply(made, model);
      if (random(20) === 0) await storage.close();
      await expectSame(storage, model, random(12));
    }
  }),
];

async function expectSame(storage: PageStorage, model: Model, after: number): Promise<void> {
  await expectValues(
    storage,
    KEYS.map((key) => [key, model.get(key)] as const),
  );
  const records = [...model]
    .filter(([key]) => /^log\/\d/.test(key))
    .map(([key, value]) => [Number(key.slice(4)), value] as const)
    .filter(([number]) => number > after)
    .sort(([one], [other]) => one - other);
  await expectRecords(storage, { keys: [], recordsAfter: after }, records);
}

function apply({ puts, deletes }: Batch, model: Model): void {
  for (const key of deletes) model.delete(key);
  for (const [key, value] of puts) model.set(key, value);
}

function randomBatch(random: (below: number) => number, model: Model): Batch {
  const some = (count: number) => [
    ...new Set(Array.from({ length: count }, () => KEYS[random(KEYS.length)]!)),
  ];
  const value = () => Uint8Array.from({ length: random(40) }, () => random(256));
  return {
    // Mostly keys that have values.
    expect: some(random(4)).map((key) => [key, random(6) > 0 ? model.get(key) : value()]),
    puts: some(random(5)).map((key) => [key, value()]),
    deletes: some(random(3)),
  };
}

// The same numbers each time: xorshift32.
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
