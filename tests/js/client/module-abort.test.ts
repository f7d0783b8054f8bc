import { expect, it } from 'vitest';

import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';

it('loses no data when the module aborts', async () => {
  const storage = memoryStorage();
  const account = await openForTest({ storage });
  await account.createTable('Pets');
  const table = account.tableClient('Pets');
  await table.createEntity({ partitionKey: 'dogs', rowKey: 'rex' });

  const calls = [
    // One that waits for storage.
    table.getEntity('dogs', 'rex', { fresh: true }),
    table.createEntity({ partitionKey: 'dogs', rowKey: 'ada' }),
    // As WebAssembly does it, in the middle of a call.
    account.session.submit({
      frame: () => {
        throw new WebAssembly.RuntimeError('unreachable');
      },
      read: () => undefined,
      bytes: 0,
      isWrite: false,
    }),
  ].map(tableError);

  for (const error of await Promise.all(calls)) {
    expect(error.code).toBe('ModuleAborted');
    expect(error.cause).toBeInstanceOf(WebAssembly.RuntimeError);
  }
  expect(await errorCode(table.getEntity('dogs', 'rex'))).toBe('ModuleAborted');

  const again = (await openForTest({ storage })).tableClient('Pets');
  expect(await again.getEntity('dogs', 'rex')).toMatchObject({ rowKey: 'rex' });
  expect(await errorCode(again.getEntity('dogs', 'ada'))).toBe('ResourceNotFound');
});
