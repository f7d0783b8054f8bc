import { afterEach, expect, it, vi } from 'vitest';

import { openForTest, openTable } from './support/accounts.js';
import { errorCode, tableError } from './support/rejection.js';
import { memoryStorage } from '../../js/src/storage/memory.js';

afterEach(() => {
  vi.restoreAllMocks();
});

it('loses no data when the module aborts, because its memory cannot grow', async () => {
  const storage = memoryStorage();
  const table = await openTable({ storage });
  await table.createEntity({ partitionKey: 'dogs', rowKey: 'rex' });
  const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
    throw new RangeError('no memory');
  });

  const Name = 'a'.repeat(30_000);
  const calls = [
    // One that waits for storage.
    table.getEntity('dogs', 'rex', { fresh: true }),
    // Together more than the memory of a module that holds nothing in reserve yet.
    ...Array.from({ length: 100 }, (_, i) =>
      table.upsertEntity({ partitionKey: 'dogs', rowKey: `ada${i}`, A: Name, B: Name }),
    ),
  ].map(tableError);

  for (const error of await Promise.all(calls)) {
    expect(error.code).toBe('ModuleAborted');
    expect(error.cause).toBeInstanceOf(WebAssembly.RuntimeError);
  }
  expect(await errorCode(table.getEntity('dogs', 'rex'))).toBe('ModuleAborted');

  grow.mockRestore();
  const again = (await openForTest({ storage })).tableClient('Pets');
  expect(await again.getEntity('dogs', 'rex')).toMatchObject({ rowKey: 'rex' });
  expect(await errorCode(again.getEntity('dogs', 'ada0'))).toBe('ResourceNotFound');
});
