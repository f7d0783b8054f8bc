// A tab that slept while others wrote and flushed: docs/internals/browsers.md, "Pages that sleep".

import { describe, expect, it } from 'vitest';

import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { collect, openForTest } from '../support/accounts.js';
import { freshName, WatchedStorage } from '../support/storages.js';

// A few of these make a tab flush.
const TEXT = 'x'.repeat(30_000);
const ROWS = Array.from({ length: 30 }, (_, row) => String(row).padStart(2, '0'));

describe('a tab that slept through flushes', () => {
  it('loses nothing that it writes when it wakes up', async () => {
    const name = freshName();
    const asleep = await openForTest({ storage: indexedDbStorage(name) });
    await asleep.createTable('Pets');
    const watched = new WatchedStorage(indexedDbStorage(name));
    const awake = await openForTest({ storage: watched });
    const pets = awake.tableClient('Pets');
    const flushes = () => watched.commits.filter(({ deletes }) => deletes.includes('log/2'));
    for (let partition = 0; flushes().length === 0; partition++) {
      const partitionKey = String(partition);
      await pets.submitTransaction(
        ROWS.map((rowKey) => ['create', { partitionKey, rowKey, TEXT }]),
      );
    }

    const mine = { partitionKey: 'mine', rowKey: 'r' };
    await asleep.tableClient('Pets').createEntity(mine);

    const seen = await openForTest({ storage: indexedDbStorage(name) });
    const of = (client: typeof seen) =>
      collect(client.tableClient('Pets').listEntities({ select: ['rowKey'] }));
    expect(await seen.tableClient('Pets').getEntity('mine', 'r')).toMatchObject(mine);
    expect(await of(seen)).toHaveLength((await of(asleep)).length);
    expect((await of(seen)).length % ROWS.length).toBe(1);
  });
});
