// The keys that components give.

import { expect, it } from 'vitest';

import { sharedEntity } from '../../../js/src/views/queries.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openTable } from '../support/accounts.js';

it.each([
  ['p', undefined, 'The argument rowKey of useEntity must be a string, not undefined.'],
  [5, 'r', 'The argument partitionKey of useEntity must be a string, not 5.'],
])('are texts: %j, %j', async (partitionKey, rowKey, message) => {
  const table = await openTable({ storage: memoryStorage() });

  expect(() => sharedEntity(table, partitionKey as never, rowKey as never)).toThrow(
    expect.objectContaining({ code: 'InvalidInput', message: expect.stringContaining(message) }),
  );
});
