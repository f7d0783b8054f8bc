// What a server in memory may store if nobody says how much.

import { TableClient } from '@azure/data-tables';
import { expect, it, onTestFinished, vi } from 'vitest';

import { startServer } from '../../../js/src/server.js';

const MIB = 2 ** 20;
const OPTIONS = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };

function mockMemory(limit: number, free: number): void {
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(limit);
  vi.spyOn(process, 'availableMemory').mockReturnValue(free);
  onTestFinished(() => void vi.restoreAllMocks());
}

it('in a container with little memory, a server refuses writes before it is full', async () => {
  mockMemory(32 * MIB, 1000 * MIB);
  const warnings: string[] = [];
  const server = await startServer({ onWarning: (line) => void warnings.push(line) });
  onTestFinished(() => server.close());
  const table = TableClient.fromConnectionString(server.connectionString, 'Pets', OPTIONS);
  await table.createTable();
  const text = 'x'.repeat(30_000);
  const names = Array.from({ length: 15 }, (_, i) => `T${i}`);
  const texts = Object.fromEntries(names.map((name) => [name, text]));
  const create = (row: number) =>
    table.createEntity({ partitionKey: 'dogs', rowKey: `${row}`, ...texts }).then(
      () => 0,
      ({ statusCode }: { statusCode: number }) => statusCode,
    );
  const textAt = (path: string) => fetch(new URL(path, server.url)).then((answer) => answer.text());
  const health = () => textAt('/-/health');

  // A quarter of what there is: 8 MiB, 18 rows of 450 KB.
  let stored = 0;
  while (stored < 30 && (await create(stored)) === 0) stored++;
  expect(stored).toBeGreaterThan(9);
  expect(stored).toBeLessThan(19);
  expect(await create(stored)).toBe(507);
  expect(await health()).toBe('writes fail\n');
  expect(warnings).toEqual([expect.stringContaining('writes fail: ')]);
  expect(await textAt('/-/metrics')).toMatch(/_commits_total\{outcome="quota"\} [1-9]/);
  expect((await table.getEntity('dogs', '0'))['T0']).toBe(text);

  for (let row = 0; row < stored; row++) await table.deleteEntity('dogs', `${row}`);
  await vi.waitFor(async () => expect(await create(0)).toBe(0));
  expect(await health()).toBe('healthy\n');
});

// Files that were read count as used in a container, and some systems say nothing.
it('it takes writes where no memory seems to be free', async () => {
  mockMemory(1000 * MIB, 0);
  const server = await startServer();
  onTestFinished(() => server.close());
  const table = TableClient.fromConnectionString(server.connectionString, 'Pets', OPTIONS);
  await table.createTable();

  await table.createEntity({ partitionKey: 'dogs', rowKey: 'rex' });

  expect((await table.getEntity('dogs', 'rex')).rowKey).toBe('rex');
});

it('stores no more than maxBytes, and answers with 507 beyond them', async () => {
  const server = await startServer({ maxBytes: 4 * MIB, onWarning: () => {} });
  onTestFinished(() => server.close());
  const table = TableClient.fromConnectionString(server.connectionString, 'Pets', OPTIONS);
  await table.createTable();
  // Nothing makes it shorter.
  const bytes = () => crypto.getRandomValues(new Uint8Array(60_000));
  const create = (row: number) =>
    table.createEntity({ partitionKey: 'dogs', rowKey: `${row}`, bytes: bytes() }).then(
      () => 201,
      ({ statusCode }: { statusCode: number }) => statusCode,
    );

  let status = 201;
  for (let row = 0; row < 80 && status === 201; row++) status = await create(row);

  expect(status).toBe(507);
});
