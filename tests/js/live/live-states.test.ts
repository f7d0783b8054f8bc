// A result of several pages shows one state of the table, also when writes come between them.

import { describe, expect, test, vi } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { TableTransaction } from '../../../js/src/client/transaction.js';
import type { TableEntityResult } from '../../../js/src/entity/entities.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { dog, dogs } from '../support/dogs.js';
import { Received } from '../support/received.js';

type Result = readonly TableEntityResult<Record<string, unknown>>[];

const COUNT = 2500;
const LAST = COUNT - 1;

async function openDogs() {
  const account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Dogs');
  const table = account.tableClient('Dogs');
  await table.importEntities(dogs(COUNT, { Text: 'before' }));
  return { account, table };
}

/** Calls `write` before a page is read that is not the first one of a result; so often, at most. */
function writeBetweenPages(
  { session }: TableServiceClient,
  write: () => Promise<unknown>,
  times = Infinity,
): void {
  const answer = session.answer.bind(session);
  vi.spyOn(session, 'answer').mockImplementation((...request) => {
    const [{ nextPartitionKey }] = request;
    if (nextPartitionKey === undefined || times-- <= 0) return answer(...request);
    return write().then(() => answer(...request));
  });
}

// Moves the last entity in the order of Number to the front, then the one before it, and so on.
const moveToFront = (table: TableClient, moved: number) =>
  table.upsertEntity(dog(LAST - moved, { Number: -1 - moved }));

const numberOfKeys = (result: Result) => new Set(result.map(({ rowKey }) => rowKey)).size;

describe('a live result of several pages', () => {
  test('has each entity once, also one that moved between two pages', async () => {
    const { account, table } = await openDogs();
    const received = new Received<Result>();
    let moved = 0;
    writeBetweenPages(account, () => moveToFront(table, moved++), 2);
    table.liveEntities({ orderBy: ['Number'] }).subscribe({ next: received.listener });

    const first = await received.next();

    expect(moved).toBe(2);
    expect(first[0]).toMatchObject({ rowKey: `00${LAST - 1}`, Number: -2 });
    expect(first).toHaveLength(COUNT);
    expect(numberOfKeys(first)).toBe(COUNT);
  });

  test('has an entity once that moved to the back', async () => {
    const { account, table } = await openDogs();
    const received = new Received<Result>();
    writeBetweenPages(account, () => table.upsertEntity(dog(0, { Number: COUNT })), 1);
    table.liveEntities({ orderBy: ['Number'] }).subscribe({ next: received.listener });

    const first = await received.next();

    expect(first.at(-1)).toMatchObject({ rowKey: '000000', Number: COUNT });
    expect(first).toHaveLength(COUNT);
    expect(numberOfKeys(first)).toBe(COUNT);
  });

  test('is not read again for a write that it shows', async () => {
    const { account, table } = await openDogs();
    const received = new Received<Result>();
    let pages = 0;
    writeBetweenPages(account, async () => {
      if (pages++ === 0) await table.upsertEntity(dog(LAST, { Text: 'after' }));
    });
    table.liveEntities({ orderBy: ['Number'] }).subscribe({ next: received.listener });

    const first = await received.next();

    expect(first.at(-1)!['Text']).toBe('after');
    expect(pages).toBe(2);
  });

  test('has all of a transaction or nothing of it', async () => {
    const { account, table } = await openDogs();
    const received = new Received<Result>();
    writeBetweenPages(
      account,
      async () => {
        const transaction = new TableTransaction();
        for (const number of [0, LAST])
          transaction.upsertEntity({ ...dog(number, { Text: 'after' }) });
        await table.submitTransaction(transaction.actions);
      },
      1,
    );
    table.liveEntities().subscribe({ next: received.listener });

    const first = await received.next();

    expect(first.at(-1)!['Text']).toBe('after');
    expect(first[0]!['Text']).toBe('after');
  });

  test('comes although every reading of it meets a write', async () => {
    const { account, table } = await openDogs();
    const received = new Received<Result>();
    let writes = 0;
    writeBetweenPages(account, () => moveToFront(table, writes++));
    table.liveEntities({ orderBy: ['Number'] }).subscribe({ next: received.listener });

    await received.next();
    // Two later pages in each of two readings.
    expect(writes).toBeGreaterThanOrEqual(4);
    await received.next();
  });

  test('is reported to a subscription as one reset, however often it was read', async () => {
    const { account, table } = await openDogs();
    const reports = new Received<boolean>();
    const more = Array.from({ length: 10_000 }, (_, number) => dog(COUNT + number));
    writeBetweenPages(
      account,
      async () => {
        // More than the core lists one by one.
        await table.importEntities(more);
      },
      1,
    );
    table.subscribe({}, ({ reset }) => reports.listener(reset));

    expect(await reports.next()).toBe(true);
    await table.deleteEntity('dogs', '000000');
    expect(await reports.next()).toBe(false);
  });

  test('is reported to a subscription before what came between its pages', async () => {
    const { account, table } = await openDogs();
    const reports = new Received<string>();
    writeBetweenPages(
      account,
      async () => {
        await table.createEntity(dog(COUNT));
        await table.deleteEntity('dogs', '000000');
      },
      1,
    );
    table.subscribe({}, ({ reset, inserted, updated, deleted }) => {
      const keys = [inserted, updated, deleted].map((list) => list.map(({ rowKey }) => rowKey));
      reports.listener(JSON.stringify([reset, ...keys]));
    });

    expect(await reports.next()).toBe('[true,[],[],[]]');
    expect(await reports.next()).toBe('[false,[],[],["000000"]]');
  });
});
