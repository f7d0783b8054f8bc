import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { TableServiceClient } from '../../../../js/src/client/table-service-client.js';
import { openAccount } from '../../../../js/src/index.js';
import { fileStorage } from '../../../../js/src/storage/file.js';
import { roundsOf } from '../../../../scripts/test/tier.mjs';
import { collect, openForTest } from '../../support/accounts.js';
import { freshFolder } from '../../support/file-storages.js';
import { FaultFileSystem } from '../../support/file/fault-file-system.js';
import { openStore } from '../../support/file/numbered-commits.js';
import { randomNumbers } from '../../support/random-numbers.js';
import { tableError } from '../../support/rejection.js';

const COUNT = 20_000;

function* people(count: number) {
  for (let at = 0; at < count; at++) {
    yield {
      partitionKey: `town-${at % 7}`,
      rowKey: `${at}`.padStart(6, '0'),
      age: at % 90,
      name: `person ${at} of many`,
    };
  }
}

describe('an account in a folder', () => {
  it('has imported, flushed and changed entities when it is opened again', async () => {
    const folder = freshFolder();
    const first = await openAccount({ storage: fileStorage(folder) });
    await first.createTable('People');
    await first.tableClient('People').importEntities(people(COUNT));
    await first.close();

    const second = await openAccount({ storage: fileStorage(folder), durability: 'relaxed' });
    const table = second.tableClient('People');
    const filter = 'age eq 5';
    const found = await table.countEntities({ filter });
    expect(found).toBe([...people(COUNT)].filter(({ age }) => age === 5).length);
    // More than a thousand log records cause a flush.
    for (let turn = 0; turn < 1_100; turn++) {
      const [rowKey, partitionKey] = [`${turn}`.padStart(6, '0'), `town-${turn % 7}`];
      if (turn % 3 === 0) await table.deleteEntity(partitionKey, rowKey);
      else await table.updateEntity({ partitionKey, rowKey, age: 1_000 }, 'Replace');
    }
    await second.close();

    const third = await openForTest({ storage: fileStorage(folder) });
    const people3 = third.tableClient('People');
    const old = await collect(people3.listEntities({ filter: 'age eq 1000', select: ['rowKey'] }));
    const changed = Array.from({ length: 1_100 }, (_, at) => at).filter((at) => at % 3 !== 0);
    expect(old.map(({ rowKey }) => Number(rowKey)).sort((a, b) => a - b)).toEqual(changed);
    expect(await people3.countEntities()).toBe(COUNT - 1_100 + changed.length);
    expect(statSync(join(folder, 'entitable.store')).size).toBeLessThan(6 * 2 ** 20);
  }, 120_000);

  it('is one account for two that are open in the process', async () => {
    const folder = freshFolder();
    const here = await openForTest({ storage: fileStorage(folder, { durability: 'relaxed' }) });
    const there = await openForTest({ storage: fileStorage(folder, { durability: 'relaxed' }) });
    await here.createTable('Notes');

    const writes = Array.from({ length: 60 }, (_, at) =>
      [here, there]
        [at % 2]!.tableClient('Notes')
        .createEntity({ partitionKey: 'a', rowKey: `${at}` }),
    );
    await Promise.all(writes);

    expect(await collect(there.tableClient('Notes').listEntities({ fresh: true }))).toHaveLength(
      60,
    );
    const again = here.tableClient('Notes').createEntity({ partitionKey: 'a', rowKey: '1' });
    expect((await tableError(again)).code).toBe('EntityAlreadyExists');
  });

  it('stores all deletions when the disk is full, and then other writes again', async () => {
    const fileSystem = new FaultFileSystem();
    const storage = openStore(fileSystem, 'strict', { reserveBytes: 2 ** 21 });
    const account = await openForTest({ storage });
    await account.createTable('People');
    const table = account.tableClient('People');
    await table.importEntities(people(1_000));
    await table.createEntity({ partitionKey: 'a', rowKey: 'b' });
    fileSystem.capacity = fileSystem.used;

    const refused = await tableError(table.createEntity({ partitionKey: 'a', rowKey: 'c' }));
    expect(refused.code).toBe('StorageQuotaExceeded');
    for (const { partitionKey, rowKey } of people(1_000)) {
      await table.deleteEntity(partitionKey, rowKey);
    }

    expect(await table.countEntities()).toBe(1);
    fileSystem.capacity += 2 ** 18;
    await table.createEntity({ partitionKey: 'a', rowKey: 'c' });
    expect(await table.countEntities()).toBe(2);
  });

  it('is open to its user alone', async () => {
    const folder = freshFolder();
    const account = await openForTest({ storage: fileStorage(join(folder, 'deep', 'er')) });
    await account.createTable('Notes');

    for (const path of [folder, join(folder, 'deep'), join(folder, 'deep', 'er')]) {
      expect(statSync(path).mode & 0o777).toBe(0o700);
    }
    for (const name of readdirSync(join(folder, 'deep', 'er'))) {
      expect(statSync(join(folder, 'deep', 'er', name)).mode & 0o777, name).toBe(0o600);
    }
  });

  it('is refused in a place where no folder can be made', async () => {
    const path = freshFolder();
    writeFileSync(path, 'no folder');
    // In /proc, a new folder is reported as one that does not exist.
    for (const folder of ['/proc/entitable/x', join(path, 'x')]) {
      const error = await tableError(openAccount({ storage: fileStorage(folder) }));
      expect(error).toMatchObject({
        code: 'StorageUnavailable',
        message: `${folder} cannot be used as a store.`,
        cause: { code: expect.stringMatching(/^(ENOENT|ENOTDIR|EACCES|EROFS)$/) },
      });
    }
    expect(() => fileStorage('')).toThrow('The folder of fileStorage must not be empty.');
  });

  it('reports a file that is damaged, with the place', async () => {
    const fileSystem = new FaultFileSystem();
    fileSystem.setBytes('/store/entitable.store', Uint8Array.of(1, 2, 3));

    const error = await tableError(openAccount({ storage: openStore(fileSystem, 'strict') }));

    expect(error.code).toBe('StorageDamaged');
    expect(error.cause).toMatchObject({ path: '/store/entitable.store', offset: 0 });
    expect(error.message).toContain('put back a copy');
  });
});

const SEEDS = roundsOf('ENTITABLE_RANDOM_STORES', { usual: 2, whole: 6 });

// Compares with a map. A write that was under way when the process died may be stored or not.
describe('random writes into a folder', () => {
  it.each(Array.from({ length: SEEDS }, (_, at) => at + 1))(
    'outlive a process that dies now and then (seed %i)',
    async (seed) => {
      const random = randomNumbers(seed);
      const fileSystem = new FaultFileSystem();
      const model = new Map<string, number>();
      const uncertain = new Map<string, number | undefined>();
      for (let life = 0; life < 6; life++) {
        const durability = random(2) ? 'strict' : 'relaxed';
        const storage = openStore(fileSystem, durability, { deadBytes: 3_000 });
        const account = await openAccount({ storage });
        const table = account.tableClient('Pets');
        if (life === 0) await table.createTable();
        await resolveUncertain(account, model, uncertain);
        fileSystem.stepsToLive = 20 + random(1_500);
        const isDead = () => fileSystem.stepsToLive <= 0;
        for (let value = 0; value < 150 && !isDead(); value++) {
          const rowKey = `${random(40)}`;
          const written = random(4) === 0 ? undefined : life * 1_000 + value;
          uncertain.set(rowKey, written);
          const writing =
            written === undefined
              ? table.deleteEntity('p', rowKey).catch(() => undefined)
              : table.upsertEntity({ partitionKey: 'p', rowKey, value: written }, 'Replace');
          if (!(await Promise.race([writing.then(() => true), deadEnd(isDead)]))) break;
          uncertain.delete(rowKey);
          if (written === undefined) model.delete(rowKey);
          else model.set(rowKey, written);
        }
        if (!isDead()) await account.close();
        fileSystem.reboot();
      }
      const storage = openStore(fileSystem, 'relaxed');
      const account = await openAccount({ storage });
      onTestFinished(() => account.close());
      await resolveUncertain(account, model, uncertain);
      expect(model.size).toBeGreaterThan(5);
    },
    60_000,
  );
});

/** The stored values must equal the map. For writes of unknown outcome, the map takes them over. */
async function resolveUncertain(
  account: TableServiceClient,
  model: Map<string, number>,
  uncertain: Map<string, number | undefined>,
): Promise<void> {
  const stored = await collect(account.tableClient('Pets').listEntities<{ value: number }>());
  const found = new Map(stored.map(({ rowKey, value }) => [rowKey!, value]));
  for (const [rowKey, written] of uncertain) {
    expect([model.get(rowKey), written]).toContain(found.get(rowKey));
    if (found.has(rowKey)) model.set(rowKey, found.get(rowKey)!);
    else model.delete(rowKey);
  }
  uncertain.clear();
  expect(found).toEqual(new Map([...model].sort()));
}

async function deadEnd(isDead: () => boolean): Promise<false> {
  while (!isDead()) await new Promise((resolve) => setImmediate(resolve));
  return false;
}
