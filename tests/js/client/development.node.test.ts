// When development warnings are on.

import { afterEach, describe, expect, it, vi } from 'vitest';

import type { AccountOptions } from '../../../js/src/index.js';
import { openAccount as openInServiceWorker } from '../../../js/src/service-worker.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openTable } from '../support/accounts.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** The spy of the console, after a wrong filter. */
async function afterWrongFilter(options: Partial<AccountOptions>) {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const table = await openTable({ storage: memoryStorage(), ...options });
  await table.createEntity({ partitionKey: 'p', rowKey: '1' });
  await table.countEntities({ filter: "rowKey eq '1'" });
  // If warnings are on, a check has begun; the requests of an account are answered in order.
  for (let turn = 0; turn < 20; turn++) await table.countEntities();
  return warn;
}

const WARNING = expect.stringMatching(/^Entitable: No entity .* \[unknown-property\]$/);

describe('development warnings', () => {
  it.each([
    ['development', {}, [WARNING]],
    ['production', {}, []],
    ['test', {}, []],
    ['development', { developmentWarnings: false }, []],
    ['production', { developmentWarnings: true }, []],
    ['test', { developmentWarnings: true }, [WARNING]],
    ['development', { developmentWarnings: () => {} }, []],
  ])('in %s with %j', async (environment, options, expected) => {
    vi.stubEnv('NODE_ENV', environment);

    const warn = await afterWrongFilter(options);

    await vi.waitFor(() => expect(warn.mock.calls.flat()).toEqual(expected));
  });

  it('are not in the script for service workers', async () => {
    const developmentWarnings = vi.fn();
    const account = await openInServiceWorker({ storage: memoryStorage(), developmentWarnings });
    const table = account.tableClient('Pets');
    await table.createTable();
    await table.createEntity({ partitionKey: 'p', rowKey: '1' });

    await table.countEntities({ filter: "rowKey eq '1'" });
    for (let turn = 0; turn < 20; turn++) await table.countEntities();
    await account.close();

    expect(developmentWarnings).not.toHaveBeenCalled();
  });
});
