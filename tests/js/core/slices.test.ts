// The slices of long work, and answers of the engine that come one slice after another.

import { expect, it, vi } from 'vitest';

import { Slices } from '../../../js/src/base/slices.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openTable } from '../support/accounts.js';
import { dogs } from '../support/dogs.js';
import { turnsDuring } from '../support/turns.js';

it('begins a slice in a later turn', async () => {
  let now = 5;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const slices = new Slices();
    now += 1;
    expect(slices.isOver).toBe(false);
    now += 1;
    expect(slices.isOver).toBe(true);

    await slices.turn();

    expect(slices.isOver).toBe(false);
  } finally {
    clock.mockRestore();
  }
});

it('takes turns between the answers to reads that waited together', async () => {
  const table = await openTable({ storage: memoryStorage() });
  await table.importEntities(dogs(100));

  const turns = await turnsDuring(() =>
    Promise.all([...dogs(100)].map((dog) => table.getEntity('dogs', dog.rowKey, { fresh: true }))),
  );

  expect(turns).toBeGreaterThanOrEqual(100);
});

it('takes turns between writes that a storage in memory stores at once', async () => {
  const table = await openTable({ storage: memoryStorage() });

  const turns = await turnsDuring(async () => {
    for (const dog of dogs(100)) await table.upsertEntity(dog);
  }, 0.1);

  expect(turns).toBeGreaterThanOrEqual(10);
});
