// The output of console.log for an account and a table.

import { inspect } from 'node:util';

import { describe, expect, it } from 'vitest';

import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';
import { openForTest } from '../support/accounts.js';

function memoryMethods(): PageStorage {
  const storage = memoryStorage();
  return {
    read: (request) => storage.read(request),
    commit: (batch) => storage.commit(batch),
    close: () => storage.close(),
    destroy: () => storage.destroy(),
  };
}

describe('printed in Node', () => {
  it('an account shows its name, the kind of its storage, and whether it is open', async () => {
    const account = await openForTest({ storage: memoryStorage(), name: 'myaccount' });
    const shownAs = (isOpen: boolean) =>
      `TableServiceClient { name: 'myaccount', storage: 'MemoryStorage', isOpen: ${isOpen} }`;

    expect(inspect(account)).toBe(shownAs(true));
    await account.close();
    expect(inspect(account)).toBe(shownAs(false));
  });

  it('an account on an adapter of the app shows that', async () => {
    const storage = Object.assign(Object.create(null), memoryMethods());
    const account = await openForTest({ storage });

    expect(inspect(account)).toContain("storage: 'Object'");
  });

  it('a table shows its name', async () => {
    const account = await openForTest({ storage: memoryStorage() });

    expect(inspect(account.tableClient('Pets'))).toBe("TableClient { tableName: 'Pets' }");
  });
});
