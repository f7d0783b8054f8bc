import { describe, expect, it } from 'vitest';

import type { Batch, PageStorage } from '../../../../js/src/storage/page-storage.js';
import { systemError } from '../../support/file/fault-file-system.js';
import {
  batchOf,
  lastCommitOf,
  RESERVE_PATH,
  STORE_PATH,
  commitAll,
} from '../../support/file/numbered-commits.js';
import { tableError } from '../../support/rejection.js';
import {
  fileSystem,
  openStore,
  begun,
  failNext,
  count,
  outcomeOf,
  useFailingStores,
} from '../../support/file/failing-store.js';

useFailingStores();

describe('a write', () => {
  it('that stores only a part at a time is finished', async () => {
    const storage = await begun('relaxed');
    fileSystem.onStep = ({ kind, length = 0 }) =>
      kind === 'write' ? { written: Math.min(length, 7) } : undefined;

    await commitAll(storage, 4, 6, () => undefined);

    expect(await lastCommitOf(storage)).toBe(6);
    fileSystem.reboot();
    expect(await lastCommitOf(openStore(fileSystem, 'relaxed'))).toBe(6);
  });

  it.each([
    ['ENOSPC', 'quota'],
    ['EDQUOT', 'quota'],
    ['EFBIG', 'quota'],
    ['EIO', 'refused'],
    ['EROFS', 'refused'],
  ])('that fails with %s is cut off, and nothing was stored: %s', async (code, outcome) => {
    const storage = await begun('strict');
    const before = fileSystem.bytesOf(STORE_PATH);
    const error = systemError(code);
    failNext('write', { error, written: 20 });

    expect(await storage.commit(batchOf(4))).toEqual({ outcome, cause: error });

    expect(fileSystem.bytesOf(STORE_PATH)).toEqual(before);
    expect(await lastCommitOf(storage)).toBe(3);
    await commitAll(storage, 4, 5, () => undefined);
    expect(await lastCommitOf(openStore(fileSystem, 'strict'))).toBe(5);
  });

  it('that cannot be cut off is unknown, and found out by the next use', async () => {
    const storage = await begun('strict');
    fileSystem.onStep = ({ kind }) => {
      if (kind === 'write') return { error: systemError('EIO'), written: 20 };
      if (kind === 'truncate') return { error: systemError('EIO') };
      return undefined;
    };
    expect(await outcomeOf(storage.commit(batchOf(4)))).toBe('unknown');
    fileSystem.onStep = undefined;

    expect(await lastCommitOf(storage)).toBe(3);
    await commitAll(storage, 4, 5, () => undefined);
    expect(await lastCommitOf(openStore(fileSystem, 'strict'))).toBe(5);
  });

  it('without room does not prevent others of its group', async () => {
    const storage = await begun('relaxed');
    fileSystem.onStep = ({ kind, length = 0 }) =>
      kind === 'write' && length > 1000
        ? { error: systemError('ENOSPC'), written: 500 }
        : undefined;

    const outcomes = await Promise.all([
      outcomeOf(storage.commit(batchOf(4))),
      outcomeOf(
        storage.commit({ expect: [], puts: [['pages/9', new Uint8Array(5000)]], deletes: [] }),
      ),
      outcomeOf(storage.commit(batchOf(5))),
    ]);

    expect(outcomes).toEqual(['ok', 'quota', 'ok']);
    expect(await lastCommitOf(storage)).toBe(5);
  });
});

describe('a sync that fails', () => {
  it.each(['stays', 'goes'])(
    'leaves the outcome unknown, and is never asked again, if what was written %s',
    async (whatWasWritten) => {
      const storage = await begun('strict');
      const before = fileSystem.bytesOf(STORE_PATH).slice();
      const error = systemError('EIO');
      failNext('sync', { error });

      expect(await storage.commit(batchOf(4))).toEqual({ outcome: 'unknown', cause: error });
      if (whatWasWritten === 'goes') fileSystem.files.get(STORE_PATH)!.bytes = before;

      const syncs = count('sync');
      const found = await lastCommitOf(storage);
      expect(found).toBe(whatWasWritten === 'goes' ? 3 : 4);
      // All that was read back is now in another file, which was synced before its first use.
      const renames = fileSystem.steps.slice(-200).filter(({ kind }) => kind === 'rename');
      expect(renames).not.toEqual([]);
      expect(count('sync')).toBe(syncs + 1);

      // So it is stored, even if the disk never had the bytes that the system showed.
      await commitAll(storage, found + 1, found + 2, () => undefined);
      fileSystem.cutPower(() => 0);
      expect(await lastCommitOf(openStore(fileSystem, 'strict'))).toBe(found + 2);
    },
  );

  it('leaves all commits of its group unknown, except those that moved', async () => {
    const storage = await begun('strict');
    failNext('sync', { error: systemError('EIO') });

    const outcomes = await Promise.all([4, 4, 5].map((n) => outcomeOf(storage.commit(batchOf(n)))));

    expect(outcomes).toEqual(['unknown', 'moved', 'unknown']);
    expect(await lastCommitOf(storage)).toBe(5);
  });

  it('and cannot be put right refuses to go on, until it can', async () => {
    const storage = await begun('strict');
    failNext('sync', { error: systemError('EIO') });
    await storage.commit(batchOf(4));
    fileSystem.onStep = ({ kind }) => (kind === 'sync' ? { error: systemError('EIO') } : undefined);

    expect((await tableError(storage.read({ keys: [] }))).code).toBe('StorageUnavailable');
    expect(await outcomeOf(storage.commit(batchOf(5)))).toBe('refused');
    // No other process may trust the bytes that are read back.
    expect([...fileSystem.files.keys()].some((path) => path.includes('lock'))).toBe(true);

    fileSystem.onStep = undefined;
    expect(await lastCommitOf(storage)).toBe(4);
    expect([...fileSystem.files.keys()].filter((path) => !path.includes('lock'))).toEqual([
      STORE_PATH,
    ]);
  });
});

describe('a store that is closed after a sync has failed', () => {
  it('is rewritten first, because the next account does not know of the failure', async () => {
    const storage = await begun('strict');
    failNext('sync', { error: systemError('EIO') });
    await storage.commit(batchOf(4));
    const renames = count('rename');

    await storage.close();

    expect(count('rename')).toBe(renames + 1);
    expect([...fileSystem.files.keys()]).toEqual([STORE_PATH]);
    fileSystem.cutPower(() => 0);
    expect(await lastCommitOf(openStore(fileSystem, 'strict'))).toBe(4);
  });
});

describe('a disk that is full', () => {
  const RESERVE_BYTES = 4_000;
  const page = (number: number, length: number, frees?: boolean): Batch => ({
    expect: [],
    puts: [[`pages/${number}`, new Uint8Array(length)]],
    deletes: [],
    ...(frees && { frees }),
  });

  /** A store on a disk that is full except for its reserve. */
  async function onFullDisk(): Promise<PageStorage> {
    const storage = openStore(fileSystem, 'strict', { reserveBytes: RESERVE_BYTES });
    await commitAll(storage, 1, 3, () => undefined);
    fileSystem.capacity = fileSystem.used;
    return storage;
  }

  it('stores batches that free room with a reserve, and no other batch until it is restored', async () => {
    const storage = await onFullDisk();
    expect(await outcomeOf(storage.commit(page(7, 300)))).toBe('quota');

    for (let number = 10; number < 15; number++) {
      expect(await outcomeOf(storage.commit(page(number, 300, true)))).toBe('ok');
    }
    expect(fileSystem.files.has(RESERVE_PATH)).toBe(false);
    expect(await outcomeOf(storage.commit(page(7, 30)))).toBe('quota');

    fileSystem.capacity += 5 * 300 + 1_000;
    expect(await outcomeOf(storage.commit(page(7, 30)))).toBe('ok');
    expect(fileSystem.bytesOf(RESERVE_PATH)).toHaveLength(RESERVE_BYTES);
  });

  it('does not use the reserve for other batches of the same group', async () => {
    const storage = await onFullDisk();

    const outcomes = await Promise.all([
      outcomeOf(storage.commit(page(7, 300))),
      outcomeOf(storage.commit(page(8, 300, true))),
      outcomeOf(storage.commit(page(9, 300))),
    ]);

    expect(outcomes).toEqual(['quota', 'ok', 'quota']);
  });

  it('remembers in the next process that the reserve was given up', async () => {
    const storage = await onFullDisk();
    expect(await outcomeOf(storage.commit(page(8, 300, true)))).toBe('ok');
    await storage.close();

    const next = openStore(fileSystem, 'strict', { reserveBytes: RESERVE_BYTES });
    expect(await outcomeOf(next.commit(page(7, 30)))).toBe('quota');
    expect(await outcomeOf(next.commit(page(9, 300, true)))).toBe('ok');
    expect(fileSystem.files.has(RESERVE_PATH)).toBe(false);
  });

  it('makes a new reserve if the old one is too short', async () => {
    const storage = await onFullDisk();
    await storage.close();
    fileSystem.capacity = Infinity;
    fileSystem.setBytes(RESERVE_PATH, new Uint8Array(10));

    const next = openStore(fileSystem, 'strict', { reserveBytes: RESERVE_BYTES });
    expect(await outcomeOf(next.commit(page(7, 30)))).toBe('ok');
    expect(fileSystem.bytesOf(RESERVE_PATH)).toHaveLength(RESERVE_BYTES);
  });
});
