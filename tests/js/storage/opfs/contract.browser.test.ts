import { expect, it } from 'vitest';

import { startWorker } from '../../support/opfs/workers.js';

it.each(['relaxed', 'strict'] as const)(
  'opfsStorage keeps the contract of a storage, %s',
  async (durability) => {
    const worker = startWorker();

    const { checks, failures } = await worker.call('checkContract', durability);

    expect(failures).toEqual([]);
    expect(checks).toBeGreaterThan(10);
  },
  30_000,
);
