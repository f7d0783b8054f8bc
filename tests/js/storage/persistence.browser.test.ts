import { expect, it } from 'vitest';

import { storageStatus } from '../../../js/src/storage/persistence.js';

it('reports how much room there is', async () => {
  const { usage, quota } = await storageStatus();

  expect(usage).toBeGreaterThanOrEqual(0);
  expect(quota).toBeGreaterThan(usage!);
});
