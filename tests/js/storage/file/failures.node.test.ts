import { describe, expect, it } from 'vitest';

import { systemError } from '../../support/file/fault-file-system.js';
import {
  batchOf,
  lastCommitOf,
  FOLDER,
  STORE_PATH,
  commitAll,
} from '../../support/file/numbered-commits.js';
import { rejection, tableError } from '../../support/rejection.js';
import {
  NEW_NAME,
  fileSystem,
  openStore,
  begun,
  failNext,
  count,
  outcomeOf,
  useFailingStores,
} from '../../support/file/failing-store.js';

useFailingStores();

describe('a lock', () => {
  const locks = () => [...fileSystem.files.keys()].filter((path) => path.includes('.lock.'));

  it.each(['namesIn', 'close', 'read', 'size', 'rename', 'sync', 'syncFolder'] as const)(
    'is let go when the folder cannot be opened for a failure at %s',
    async (kind) => {
      if (kind === 'read' || kind === 'size') await (await begun('strict')).close();
      const storage = openStore(fileSystem, 'strict');
      fileSystem.onStep = (step) =>
        step.kind === kind ? { error: systemError('EIO') } : undefined;
      await tableError(storage.read({ keys: [] }));

      expect(locks()).toEqual([]);
      expect(await outcomeOf(storage.commit(batchOf(1)))).toBe('refused');
      expect(locks()).toEqual([]);
    },
  );

  it('is released when the file is damaged, before and after close', async () => {
    fileSystem.setBytes(STORE_PATH, Uint8Array.of(1, 2, 3));
    const storage = openStore(fileSystem, 'strict');
    await tableError(storage.read({ keys: [] }));
    expect(locks()).toEqual([]);
    await storage.close();
    expect(locks()).toEqual([]);
  });

  it('is released by close after any failure', async () => {
    const storage = await begun('strict');
    failNext('sync', { error: systemError('EIO') });
    await storage.commit(batchOf(4));
    fileSystem.onStep = ({ kind }) =>
      ['sync', 'write', 'truncate', 'rename', 'close'].includes(kind)
        ? { error: systemError('EIO') }
        : undefined;
    await storage.close();

    expect(locks()).toEqual([]);
  });
});

describe('commits that come together', () => {
  it('share a write and a sync, and are compared one by one', async () => {
    const storage = await begun('strict');
    const batches = () =>
      fileSystem.steps.filter(({ kind, length }) => kind === 'write' && length! > 50).length;
    const [writes, syncs] = [batches(), count('sync')];

    const outcomes = await Promise.all(
      [4, 5, 5, 6, 8].map((number) => outcomeOf(storage.commit(batchOf(number)))),
    );

    expect(outcomes).toEqual(['ok', 'ok', 'moved', 'ok', 'moved']);
    expect([batches() - writes, count('sync') - syncs]).toEqual([1, 1]);
    expect(await lastCommitOf(storage)).toBe(6);
  });

  it('of relaxed durability wait for no sync, save with a strict one', async () => {
    const storage = await begun('relaxed');
    const syncs = count('sync');
    await commitAll(storage, 4, 9, () => undefined);
    expect(count('sync')).toBe(syncs);

    await Promise.all([
      storage.commit(batchOf(10)),
      storage.commit(batchOf(11), { durability: 'strict' }),
    ]);
    expect(count('sync')).toBe(syncs + 1);
  });

  it('of relaxed durability wait for a sync when much is not synced', async () => {
    const storage = await begun('relaxed');
    const syncs = count('sync');

    for (let number = 0; number < 3; number++) {
      const puts = [[`pages/${number}`, new Uint8Array(6 * 2 ** 20)]] as const;
      await storage.commit({ expect: [], puts, deletes: [] });
    }

    expect(count('sync')).toBe(syncs + 1);
  });
});

describe('a value that commits expect', () => {
  it('is read once for as long as it stays', async () => {
    const storage = await begun('strict');
    const expected = (await storage.read({ keys: ['log/base'] })).values[0]!;
    const puts = [['pages/0', Uint8Array.of(1)]] as const;
    const expecting = (value: Uint8Array) =>
      outcomeOf(storage.commit({ expect: [['log/base', value]], puts, deletes: [] }));
    const reads = count('read');

    expect([await expecting(expected), await expecting(expected)]).toEqual(['ok', 'ok']);
    expect(await expecting(expected.map((byte) => byte + 1))).toBe('moved');
    expect(count('read')).toBe(reads + 1);

    await storage.commit(batchOf(4));
    expect(await expecting(expected)).toBe('moved');
  });
});

describe('a read', () => {
  it('that fails rejects with the error of the system', async () => {
    const storage = await begun('relaxed');
    const error = systemError('EIO');
    failNext('read', { error });

    expect(await rejection(storage.read({ keys: ['log/base'] }))).toBe(error);
    expect(await lastCommitOf(storage)).toBe(3);
  });

  it('of a damaged value reports its place, and other values can be read', async () => {
    const storage = await begun('strict');
    const bytes = fileSystem.bytesOf(STORE_PATH);
    bytes[bytes.length - 1]! ^= 1;

    const error = await tableError(storage.read({ keys: ['pages/0'] }));

    expect(error).toMatchObject({ code: 'StorageDamaged', cause: { path: STORE_PATH } });
    expect((await storage.read({ keys: ['pages/1'] })).values).toHaveLength(1);
  });

  it('refuses a commit that expects a value that cannot be read', async () => {
    const storage = await begun('strict');
    failNext('read', { error: systemError('EIO') });

    expect(await outcomeOf(storage.commit(batchOf(4)))).toBe('refused');
    expect(await outcomeOf(storage.commit(batchOf(4)))).toBe('ok');
  });
});

describe('a folder that cannot be opened', () => {
  it.each(['makeFolder', 'namesIn', 'open', 'syncFolder'] as const)(
    'at %s is reported with the cause, and tried again',
    async (kind) => {
      const error = systemError('EACCES');
      fileSystem.onStep = (step) => (step.kind === kind ? { error } : undefined);
      const storage = openStore(fileSystem, 'strict');

      expect(await tableError(storage.read({ keys: [] }))).toMatchObject({
        code: 'StorageUnavailable',
        cause: error,
      });
      expect(await outcomeOf(storage.commit(batchOf(1)))).toBe('refused');

      fileSystem.onStep = undefined;
      await commitAll(storage, 1, 1, () => undefined);
      expect(await lastCommitOf(storage)).toBe(1);
    },
  );

  it('without room refuses a commit for that reason', async () => {
    failNext('write', { error: systemError('ENOSPC') }, NEW_NAME);

    expect(await outcomeOf(openStore(fileSystem, 'strict').commit(batchOf(1)))).toBe('quota');
  });
});

describe('close', () => {
  it('releases the lock, although commits came while others were under way', async () => {
    const storage = await begun('relaxed');
    const later: Promise<unknown>[] = [];
    fileSystem.onStep = ({ kind }) => {
      if (kind !== 'write') return undefined;
      fileSystem.onStep = undefined;
      later.push(storage.commit(batchOf(5)), storage.close());
      return undefined;
    };
    await storage.commit(batchOf(4));
    await Promise.all(later);
    // All remaining work is in the queue now.
    await new Promise((resolve) => setImmediate(resolve));

    expect([...fileSystem.files.keys()]).toEqual([STORE_PATH]);
    expect(await lastCommitOf(storage)).toBe(5);
  });
});

describe('destroy', () => {
  it('removes the files of the store, and no other', async () => {
    fileSystem.setBytes(`${FOLDER}/notes.txt`, Uint8Array.of(1));
    const storage = await begun('strict');

    await storage.destroy();

    expect([...fileSystem.files.keys()]).toEqual([`${FOLDER}/notes.txt`]);
  });

  it('that fails is reported', async () => {
    const storage = await begun('strict');
    const error = systemError('EPERM');
    failNext('remove', { error });

    expect(await rejection(storage.destroy())).toBe(error);
  });
});
