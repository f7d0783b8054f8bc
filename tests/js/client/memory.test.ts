// Accounts whose module has little memory, or gets no more from the system.

import { afterEach, expect, it, vi } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import { loadValidator } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, openTable } from '../support/accounts.js';
import { errorCode } from '../support/rejection.js';

const MEBIBYTE = 2 ** 20;

afterEach(() => {
  vi.restoreAllMocks();
});

// About half a megabyte, which counts as one, because texts count as UTF-16.
const large = (rowKey: string) => ({
  partitionKey: 'p',
  rowKey,
  ...Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`Text${i}`, 'x'.repeat(30_000)])),
});

// The result of each of many calls at once: 'done', or the code of an error.
async function outcomes(calls: Promise<unknown>[]): Promise<string[]> {
  const all = calls.map((call) =>
    call.then(
      () => 'done',
      (error: { code: string }) => error.code,
    ),
  );
  return [...new Set(await Promise.all(all))].sort();
}

const isUsable = async (table: TableClient) =>
  (await table.getEntity('p', '0', { select: ['rowKey'] })).rowKey === '0';

it('needs 64 MiB', async () => {
  const open = (maxMemoryBytes: number) =>
    openForTest({ storage: memoryStorage(), maxMemoryBytes });

  expect(await errorCode(open(64 * MEBIBYTE - 1))).toBe('InvalidInput');
  await open(64 * MEBIBYTE);
});

it('refuses requests beyond its memory, and continues', async () => {
  const table = await openTable({ storage: memoryStorage(), maxMemoryBytes: 64 * MEBIBYTE });
  for (let i = 0; i < 24; i++) await table.createEntity(large(`${i}`));

  const firstPage = () => table.listEntities().byPage({ maxPageSize: 1000 }).next();
  const lists = await outcomes(Array.from({ length: 300 }, firstPage));
  expect(lists).toContain('done');
  expect(['ServerBusy', 'done']).toEqual(expect.arrayContaining(lists));
  expect(await isUsable(table)).toBe(true);

  const writes = await outcomes(
    Array.from({ length: 100 }, (_, i) => table.upsertEntity(large(`more${i}`))),
  );
  expect(['ServerBusy', 'done']).toEqual(expect.arrayContaining(writes));
  expect(await isUsable(table)).toBe(true);
}, 60_000);

it('refuses requests if the system has no memory, and continues', async () => {
  const table = await openTable({ storage: memoryStorage() });
  await table.createEntity({ partitionKey: 'p', rowKey: '0' });
  const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
    throw new RangeError('no memory');
  });

  const writes = await outcomes(
    Array.from({ length: 20 }, (_, i) => table.createEntity(large(`${i + 1}`))),
  );
  expect(writes).toEqual(['ServerBusy']);
  expect(await isUsable(table)).toBe(true);

  grow.mockRestore();
  expect(await outcomes([table.createEntity(large('1'))])).toEqual(['done']);
});

it('refuses to check what there is no memory for, and continues', async () => {
  const validator = await loadValidator();
  const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
    throw new RangeError('no memory');
  });
  const texts = Array.from({ length: 100 }, (_, i) => [`Text${i}`, 'x'.repeat(30_000)]);
  const entity = { partitionKey: 'p', rowKey: '1', ...Object.fromEntries(texts) };
  const check = () => validator.validateEntity(entity).map(({ rule }) => rule);

  expect(check).toThrow(expect.objectContaining({ code: 'ServerBusy' }));
  expect(validator.validateKey('a')).toEqual([]);

  grow.mockRestore();
  expect(check()).toEqual(['entity-size']);
});
