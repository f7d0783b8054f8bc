// Several accounts write to one store: docs/internals/store-protocol.md, "Contention".

import { describe, expect, it } from 'vitest';

import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';
import { collect, openForTest } from '../support/accounts.js';
import { freshName } from '../support/storages.js';

const WRITERS = 4;
const WRITES = 100;

/** Counts the commits of a storage, and those of them that lost a race. */
function counted(storage: PageStorage, counts: { commits: number; lost: number }): PageStorage {
  return {
    read: (request) => storage.read(request),
    commit: async (batch, options) => {
      const result = await storage.commit(batch, options);
      counts.commits++;
      if (result.outcome === 'moved') counts.lost++;
      return result;
    },
    exclusively: async (request, decide, options) => {
      const result = await storage.exclusively!(request, decide, options);
      if (result) counts.commits++;
      return result;
    },
    close: () => storage.close(),
    destroy: () => storage.destroy(),
  };
}

describe('contention on one store', () => {
  it('loses few commits, serves every account, and stores each write once', async () => {
    const name = freshName();
    const counts = { commits: 0, lost: 0 };
    const first = await openForTest({ storage: counted(indexedDbStorage(name), counts) });
    await first.createTable('Pets');
    const accounts = [first];
    while (accounts.length < WRITERS) {
      accounts.push(await openForTest({ storage: counted(indexedDbStorage(name), counts) }));
    }

    const done = accounts.map(() => 0);
    let atFirstEnd: number[] | undefined;
    await Promise.all(
      accounts.map(async (account, writer) => {
        const pets = account.tableClient('Pets');
        while (done[writer]! < WRITES) {
          await pets.createEntity({ partitionKey: `${writer}`, rowKey: `${done[writer]}` });
          done[writer]!++;
        }
        atFirstEnd ??= [...done];
      }),
    );

    const all = atFirstEnd!.reduce((sum, count) => sum + count);
    for (const count of atFirstEnd!) expect(count / all).toBeGreaterThan(0.15);
    expect(counts.lost / counts.commits).toBeLessThan(0.05);
    const seen = await openForTest({ storage: indexedDbStorage(name) });
    const rows = await collect(seen.tableClient('Pets').listEntities());
    expect(rows).toHaveLength(WRITERS * WRITES);
  });

  it('lets exactly one of two updates with the same etag succeed', async () => {
    const name = freshName();
    const one = await openForTest({ storage: indexedDbStorage(name) });
    const other = await openForTest({ storage: indexedDbStorage(name) });
    await one.createTable('Pets');
    const key = { partitionKey: 'p', rowKey: 'r' };
    const tables = [one.tableClient('Pets'), other.tableClient('Pets')];
    let { etag } = await tables[0]!.createEntity({ ...key, turn: 0 });

    for (let turn = 1; turn <= 50; turn++) {
      const results = await Promise.allSettled(
        tables.map((table, by) =>
          table.updateEntity({ ...key, turn, by }, 'Replace', { etag: etag! }),
        ),
      );
      const winners = results.flatMap((result) =>
        result.status === 'fulfilled' ? [result.value] : [],
      );
      const losers = results.flatMap((result) =>
        result.status === 'rejected' ? [(result.reason as { code: string }).code] : [],
      );
      expect(winners).toHaveLength(1);
      expect(losers).toEqual(['UpdateConditionNotSatisfied']);
      etag = winners[0]!.etag;
      const by = results.findIndex(({ status }) => status === 'fulfilled');
      expect(await tables[by]!.getEntity('p', 'r')).toMatchObject({ turn, by });
    }
  });
});
