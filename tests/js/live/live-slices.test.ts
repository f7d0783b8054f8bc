// Later results of large live queries: others have their turn while they are made.

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { inNextTurn } from '../../../js/src/base/next-turn.js';
import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import type { TableEntityResult } from '../../../js/src/entity/entities.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { dog, dogs } from '../support/dogs.js';
import { Received } from '../support/received.js';
import { endSlicesAtOnce, turnsDuring } from '../support/turns.js';

type Result = readonly TableEntityResult<Record<string, unknown>>[];

// A result of COUNT entities takes at least SLICES turns if every slice is over at once.
const COUNT = 12_000;
const SLICES = 10;

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise<void>(inNextTurn);
};

/** From now on, every look at the clock finds that the slice is over. */
function hurry(): void {
  onTestFinished(endSlicesAtOnce());
}

async function openDogs(count = COUNT) {
  const account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Dogs');
  const table = account.tableClient('Dogs');
  await table.importEntities(dogs(count));
  return { account, table };
}

/** Follows the table, with the first result there. */
async function followed(table: TableClient, options: Parameters<typeof table.liveEntities>[0]) {
  const received = new Received<Result>();
  const live = table.liveEntities(options);
  const unsubscribe = live.subscribe({ next: received.listener });
  const first = await received.next();
  return { live, received, unsubscribe, first };
}

describe('a later result of a large live query', () => {
  test.each([
    [
      'after a write',
      {},
      SLICES,
      (table: TableClient) => table.updateEntity(dog(7, { Text: 'Rex' })),
    ],
    ['after a deletion', {}, SLICES, (table: TableClient) => table.deleteEntity('dogs', '000007')],
    [
      'of an order, after one of its last entities was deleted',
      { orderBy: ['Number'] },
      // The known entities are read twice, besides the new ones.
      3 * SLICES,
      (table: TableClient) => table.deleteEntity('dogs', `0${COUNT - 1}`),
    ],
  ])('comes in slices %s', async (_name, options, slices, write) => {
    const { table } = await openDogs();
    const { received, first } = await followed(table, options);
    await table.createEntity(dog(COUNT));
    await received.next();

    let later: Result = [];
    const taken = await turnsDuring(async () => {
      await write(table);
      later = await received.next();
    });

    expect(taken).toBeGreaterThanOrEqual(slices);
    expect(first).toHaveLength(COUNT);
    expect(later).toEqual(await collect(table.listEntities()));
  });

  test('is not read when an entity that it does not have is deleted', async () => {
    const { account, table } = await openDogs();
    const { received, live } = await followed(table, { orderBy: ['Number'], top: 1000 });
    const shown = live.getSnapshot();
    const answer = vi.spyOn(account.session, 'answer');
    const kinds = () => answer.mock.calls.map(([{ kind }]) => kind);

    hurry();
    await table.deleteEntity('dogs', `0${COUNT - 1}`);
    while (!kinds().includes('awaitChanges')) await turns(1);

    expect(kinds()).not.toContain('queryOrdered');
    expect(received.all).toEqual([]);
    expect(live.getSnapshot()).toBe(shown);
  });

  test('has a write that comes while the result of an earlier one is made', async () => {
    const { table } = await openDogs();
    const { received } = await followed(table, {});
    hurry();
    for (let later = 0; later < SLICES + 4; later += 2) {
      await table.upsertEntity(dog(later, { Text: 'one' }));
      await turns(later);
      await table.upsertEntity(dog(later + 1, { Text: 'other' }));

      let isWhole: boolean;
      do {
        const result = await received.next();
        isWhole = result[later + 1]!['Text'] === 'other';
        expect(result).toHaveLength(COUNT);
        // The later write never comes without the earlier one.
        expect(result[later]!['Text']).toBe('one');
      } while (!isWhole);
    }
  });

  test('is left out by a stop in the middle, and comes to the next subscriber', async () => {
    const { table } = await openDogs();
    const { live, received, unsubscribe } = await followed(table, {});
    unsubscribe();
    hurry();
    for (let later = 0; later < SLICES + 4; later += 2) {
      const stop = live.subscribe({ next: received.listener });
      await received.next();
      await table.upsertEntity(dog(COUNT + later));
      await turns(later);
      stop();
      received.all.length = 0;
      const shown = live.getSnapshot();
      await turns(2 * SLICES);
      expect(received.all).toEqual([]);
      expect(live.getSnapshot()).toBe(shown);

      const again = new Received<Result>();
      const stopAgain = live.subscribe({ next: again.listener });
      const found = await again.next((result) => result.at(-1)!.rowKey === `0${COUNT + later}`);
      expect(found).toHaveLength(COUNT + later / 2 + 1);
      stopAgain();
    }
  });

  type End = (account: TableServiceClient, controller: AbortController) => unknown;
  test.each<[string, End]>([
    ['its signal fires', (_, controller) => controller.abort()],
    ['the account is closed', (account) => account.close()],
  ])('does not come after %s', async (_name, end) => {
    for (let later = 0; later < SLICES + 4; later += 3) {
      const { account, table } = await openDogs();
      const controller = new AbortController();
      const { live, received } = await followed(table, { abortSignal: controller.signal });
      const completed = new Promise<void>((complete) => live.subscribe({ complete }));
      const restoreClock = endSlicesAtOnce();
      await table.upsertEntity(dog(COUNT));
      await turns(later);

      await end(account, controller);
      received.all.length = 0;

      await completed;
      restoreClock();
      expect(received.all).toEqual([]);
    }
  });

  test('of a subscription comes in slices, too', async () => {
    const { table } = await openDogs();
    const inserted = new Received<readonly { rowKey: string }[]>();
    table.subscribe({}, (changes) => inserted.listener(changes.inserted));
    await inserted.next();
    const create = async (number: number) => {
      await table.createEntity(dog(number));
      return (await inserted.next()).map(({ rowKey }) => rowKey);
    };
    expect(await create(COUNT)).toEqual([`0${COUNT}`]);

    const taken = await turnsDuring(() => create(COUNT + 1));

    expect(taken).toBeGreaterThanOrEqual(SLICES);
  });
});

test('a result that fits a slice takes no turn', async ({ skip }) => {
  const { account, table } = await openDogs(900);
  // Each answer of a worker comes in a turn of its own.
  skip(account.isInWorker);
  const { received, live } = await followed(table, {});
  const change = async (Text: string) => {
    await table.updateEntity(dog(7, { Text }));
    return (await received.next())[7]!['Text'];
  };
  expect(await change('Rex')).toBe('Rex');

  const written = await turnsDuring(() => table.upsertEntity(dog(7, { Text: 'Max' })));
  await received.next();
  const reported = await turnsDuring(() => change('Leo'));

  expect(reported).toBeLessThanOrEqual(written + 1);
  expect(live.getSnapshot()[7]!['Text']).toBe('Leo');
});
