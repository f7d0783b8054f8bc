import { describe, expect, it } from 'vitest';

import { storageContract } from '../../../js/src/storage/contract.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openTable } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

describe('a storage in memory with a limit', () => {
  it('keeps the contract', async () => {
    for (const { run } of storageContract) {
      await run(() => memoryStorage({ maxBytes: 2 ** 28 }));
    }
  });

  it('refuses commits beyond it, and accepts deletions, which free room', async () => {
    const maxBytes = 4 * 2 ** 20;
    const table = await openTable({ storage: memoryStorage({ maxBytes }) });
    const name = 'x'.repeat(30_000);
    const create = (row: number) =>
      table.createEntity({ partitionKey: 'dogs', rowKey: `${row}`, A: name, B: name, C: name });
    let stored = 0;
    const error = await tableError(
      (async () => {
        for (; stored < 100; stored++) await create(stored);
      })(),
    );

    expect(error.code).toBe('StorageQuotaExceeded');
    expect(error.statusCode).toBe(507);
    expect(error.details.room).toMatchObject({ quota: maxBytes });
    expect(stored * name.length * 3).toBeGreaterThan(maxBytes / 2);
    expect((await table.getEntity('dogs', `${stored - 1}`)).rowKey).toBe(`${stored - 1}`);

    for (let row = 0; row < stored; row++) await table.deleteEntity('dogs', `${row}`);
    // The room of what was deleted is cleared up in steps.
    await expect.poll(() => create(stored).then(() => 'stored', String)).toBe('stored');
  });
});

it('refuses a commit that the process has no memory for, and changes nothing', async () => {
  const storage = memoryStorage();
  const [old, more] = [Uint8Array.of(1), Uint8Array.of(2)];
  await storage.commit({ expect: [], puts: [['log/1', old]], deletes: [] });
  const tooMuch = Object.assign(Uint8Array.of(3), {
    slice: () => {
      throw new RangeError('Array buffer allocation failed');
    },
  });
  const puts = [
    ['log/2', more],
    ['log/3', tooMuch],
  ] as const;

  expect((await storage.commit({ expect: [], puts, deletes: ['log/1'] })).outcome).toBe('quota');
  expect(await storage.read({ keys: ['log/2'], recordsAfter: 0 })).toEqual({
    values: [undefined],
    records: [[1, old]],
  });
});
