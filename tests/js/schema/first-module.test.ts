// isolated: a module is loaded once for each context

import { expect, it, vi } from 'vitest';

import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { syncWasmBytes } from '../support/wasm.js';

it('a validation before the account is open takes the module of the account', async () => {
  const pets = defineTable('Pets', { partitionKey: t.string(), rowKey: t.string() });
  const wasm = await syncWasmBytes();
  const compile = vi.spyOn(WebAssembly, 'compile');

  const first = pets.validate({ partitionKey: 'p/q', rowKey: 'r' });
  const opening = openForTest({ storage: memoryStorage(), wasm });
  const second = pets.validate({ partitionKey: 'p', rowKey: 'r' });

  expect((await first).issues).toMatchObject([{ path: ['partitionKey'] }]);
  expect((await second).issues).toBeUndefined();
  await opening;
  expect(compile).toHaveBeenCalledTimes(1);
});
