// Answers from memory, which come at once.

import { expect, it } from 'vitest';

import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openTable } from '../support/accounts.js';

it('leave timers their turn, however many reads follow one another', async () => {
  const table = await openTable({ storage: memoryStorage() });
  await table.createEntity({ partitionKey: 'p', rowKey: 'r' });
  let isFired = false;
  setTimeout(() => (isFired = true));

  const end = performance.now() + 10_000;
  while (!isFired && performance.now() < end) await table.getEntity('p', 'r');

  expect(isFired).toBe(true);
});
