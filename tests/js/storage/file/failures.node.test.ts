import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type {
  Batch,
  CommitResult,
  Durability,
  PageStorage,
} from '../../../../js/src/storage/page-storage.js';
import {
  FaultFileSystem,
  systemError,
  type Fault,
  type FileStep,
} from '../../support/file/fault-file-system.js';
import {
  batchOf,
  lastCommitOf,
  FOLDER,
  openStore as storeIn,
  RESERVE_PATH,
  STORE_PATH,
  commitAll,
} from '../../support/file/numbered-commits.js';
import { rejection, tableError } from '../../support/rejection.js';

const NEW_NAME = 'entitable.store.new';

let fileSystem: FaultFileSystem;

const storages: PageStorage[] = [];

function openStore(...parameters: Parameters<typeof storeIn>): PageStorage {
  const storage = storeIn(...parameters);
  storages.push(storage);
  return storage;
}

/** A store that has three commits. */
async function begun(durability: Durability, deadBytes = Infinity): Promise<PageStorage> {
  const storage = openStore(fileSystem, durability, { deadBytes, onProblem: problems });
  await commitAll(storage, 1, 3, () => undefined);
  return storage;
}

const problems = vi.fn();

/** The next step of that kind, on that file, comes to this. */
function failNext(kind: FileStep['kind'], fault: Fault, name = 'entitable.store'): void {
  fileSystem.onStep = (step) => {
    if (step.kind !== kind || step.name !== name) return undefined;
    fileSystem.onStep = undefined;
    return fault;
  };
}

const count = (kind: FileStep['kind']) =>
  fileSystem.steps.filter((step) => step.kind === kind).length;
const outcomeOf = async (result: Promise<CommitResult>) => (await result).outcome;

beforeEach(() => {
  fileSystem = new FaultFileSystem();
  problems.mockClear();
});

afterEach(async () => {
  fileSystem.reboot();
  fileSystem.capacity = Infinity;
  for (const storage of storages.splice(0)) await storage.close();
  expect(fileSystem.openNames, 'files that a closed store has left open').toEqual([]);
});

describe('a write', () => {
  it('that takes only a part at a time is finished', async () => {
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

  it('for which there is no room keeps none from being stored that came with it', async () => {
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
      // All that was read back is in another file now, which was synced before its first use.
      const renames = fileSystem.steps.slice(-200).filter(({ kind }) => kind === 'rename');
      expect(renames).not.toEqual([]);
      expect(count('sync')).toBe(syncs + 1);

      // And so it is there even if the disk never had what the system showed.
      await commitAll(storage, found + 1, found + 2, () => undefined);
      fileSystem.cutPower(() => 0);
      expect(await lastCommitOf(openStore(fileSystem, 'strict'))).toBe(found + 2);
    },
  );

  it('leaves all commits of its group unknown, but those that had moved', async () => {
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
    // Nobody else may believe what is read back.
    expect([...fileSystem.files.keys()].some((path) => path.includes('lock'))).toBe(true);

    fileSystem.onStep = undefined;
    expect(await lastCommitOf(storage)).toBe(4);
    expect([...fileSystem.files.keys()].filter((path) => !path.includes('lock'))).toEqual([
      STORE_PATH,
    ]);
  });
});

describe('a store that is closed after a sync has failed', () => {
  it('is written anew first, because whoever opens it knows nothing of that', async () => {
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

  /** A store on a disk that is full but for its reserve. */
  async function onFullDisk(): Promise<PageStorage> {
    const storage = openStore(fileSystem, 'strict', { reserveBytes: RESERVE_BYTES });
    await commitAll(storage, 1, 3, () => undefined);
    fileSystem.capacity = fileSystem.used;
    return storage;
  }

  it('takes batches that make room from a reserve, and no other one before that is back', async () => {
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

  it('takes no batch for one that makes room that only came with one', async () => {
    const storage = await onFullDisk();

    const outcomes = await Promise.all([
      outcomeOf(storage.commit(page(7, 300))),
      outcomeOf(storage.commit(page(8, 300, true))),
      outcomeOf(storage.commit(page(9, 300))),
    ]);

    expect(outcomes).toEqual(['quota', 'ok', 'quota']);
  });

  it('still knows in the next process that the reserve is gone', async () => {
    const storage = await onFullDisk();
    expect(await outcomeOf(storage.commit(page(8, 300, true)))).toBe('ok');
    await storage.close();

    const next = openStore(fileSystem, 'strict', { reserveBytes: RESERVE_BYTES });
    expect(await outcomeOf(next.commit(page(7, 30)))).toBe('quota');
    expect(await outcomeOf(next.commit(page(9, 300, true)))).toBe('ok');
    expect(fileSystem.files.has(RESERVE_PATH)).toBe(false);
  });

  it('makes a reserve that was cut short anew', async () => {
    const storage = await onFullDisk();
    await storage.close();
    fileSystem.capacity = Infinity;
    fileSystem.setBytes(RESERVE_PATH, new Uint8Array(10));

    const next = openStore(fileSystem, 'strict', { reserveBytes: RESERVE_BYTES });
    expect(await outcomeOf(next.commit(page(7, 30)))).toBe('ok');
    expect(fileSystem.bytesOf(RESERVE_PATH)).toHaveLength(RESERVE_BYTES);
  });
});

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

  it('is let go when the file is damaged, before and after close', async () => {
    fileSystem.setBytes(STORE_PATH, Uint8Array.of(1, 2, 3));
    const storage = openStore(fileSystem, 'strict');
    await tableError(storage.read({ keys: [] }));
    expect(locks()).toEqual([]);
    await storage.close();
    expect(locks()).toEqual([]);
  });

  it('is let go by close after whatever failed', async () => {
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
  it('that fails rejects with what the system says', async () => {
    const storage = await begun('relaxed');
    const error = systemError('EIO');
    failNext('read', { error });

    expect(await rejection(storage.read({ keys: ['log/base'] }))).toBe(error);
    expect(await lastCommitOf(storage)).toBe(3);
  });

  it('of a value that is damaged tells where, and others are read', async () => {
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

describe('a rewrite', () => {
  /** Tells commits until one more file has taken the store's place. */
  async function untilRewritten(storage: PageStorage, from: number): Promise<number> {
    const renames = count('rename');
    let number = from;
    while (count('rename') === renames) await commitAll(storage, number, number++, () => undefined);
    return number - 1;
  }

  it('leaves out what is dead, and what is committed meanwhile is there', async () => {
    const storage = await begun('relaxed', 300);

    const last = await untilRewritten(storage, 4);

    expect(await lastCommitOf(storage)).toBe(last);
    await commitAll(storage, last + 1, 50, () => undefined);
    await storage.close();
    expect(await lastCommitOf(openStore(fileSystem, 'relaxed'))).toBe(50);
    expect(fileSystem.bytesOf(STORE_PATH).length).toBeLessThan(3000);
    expect(problems).not.toHaveBeenCalled();
  });

  it('lets a read end that began before it', async () => {
    const storage = await begun('relaxed', 300);
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    fileSystem.onStep = ({ kind }) => {
      if (kind !== 'read') return undefined;
      fileSystem.onStep = undefined;
      return held;
    };
    const read = storage.read({ keys: ['log/base'], recordsAfter: 0 });
    await untilRewritten(storage, 4);
    goOn();

    const { values, records } = await read;
    expect(values[0]).toEqual(batchOf(3).puts[1]![1]);
    expect(records.map(([number]) => number)).toEqual([1, 2, 3]);
  });

  it.each([
    ['write', 'ENOSPC', NEW_NAME],
    ['sync', 'EIO', NEW_NAME],
    ['open', 'EMFILE', NEW_NAME],
    ['rename', 'EACCES', 'entitable.store'],
  ] as const)('that fails at %s is reported, and tried again later', async (kind, code, name) => {
    const storage = await begun('relaxed', 300);
    const error = systemError(code);
    failNext(kind, { error }, name);
    let last = 3;
    while (problems.mock.calls.length === 0)
      await commitAll(storage, ++last, last, () => undefined);

    expect(problems).toHaveBeenCalledExactlyOnceWith(error);
    expect(await lastCommitOf(storage)).toBe(last);
    expect(fileSystem.files.has(`${FOLDER}/${NEW_NAME}`)).toBe(false);

    last = await untilRewritten(storage, last + 1);
    expect(await lastCommitOf(storage)).toBe(last);
    await storage.close();
    expect(await lastCommitOf(openStore(fileSystem, 'relaxed'))).toBe(last);
  });

  it('whose name does not reach the disk acknowledges nothing before it does', async () => {
    const storage = await begun('strict', 300);
    failNext('syncFolder', { error: systemError('EIO') }, FOLDER);

    let last = 3;
    while (fileSystem.onStep && last < 50) await commitAll(storage, ++last, last, () => undefined);
    expect(fileSystem.onStep).toBeUndefined();

    await commitAll(storage, last + 1, last + 3, () => undefined);
    await storage.close();
    fileSystem.files = new Map(fileSystem.namesOnDisk);
    expect(await lastCommitOf(openStore(fileSystem, 'strict'))).toBe(last + 3);
  });

  it('that ends after the sync of a commit has failed leaves no file, on the disk or open', async () => {
    const storage = await begun('strict', 300);
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let isCopying = false;
    fileSystem.onStep = ({ kind, name }) => {
      if (isCopying || kind !== 'write' || name !== NEW_NAME) return undefined;
      isCopying = true;
      return held;
    };
    let last = 3;
    while (!isCopying) await commitAll(storage, ++last, last, () => undefined);
    failNext('sync', { error: systemError('EIO') });
    expect(await outcomeOf(storage.commit(batchOf(last + 1)))).toBe('unknown');

    goOn();

    await vi.waitFor(() => expect(fileSystem.openNames).not.toContain(NEW_NAME));
    await vi.waitFor(() => expect(fileSystem.files.has(`${FOLDER}/${NEW_NAME}`)).toBe(false));
    expect(await lastCommitOf(storage)).toBe(last + 1);
  });

  it('stops when the store is closed, or destroyed, and leaves no file', async () => {
    for (const end of ['close', 'destroy'] as const) {
      fileSystem = new FaultFileSystem();
      const storage = await begun('relaxed', 300);
      let ended: Promise<void> | undefined;
      fileSystem.onStep = ({ kind, name }) => {
        if (kind === 'write' && name === NEW_NAME) ended ??= storage[end]();
        return undefined;
      };
      for (let n = 4; !ended; n++) await commitAll(storage, n, n, () => undefined);
      await ended;

      expect([...fileSystem.files.keys()]).toEqual(end === 'close' ? [STORE_PATH] : []);
    }
  });
});

describe('close', () => {
  it('lets go of the lock for good when commits came while others were under way', async () => {
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
    // What would be left to do is in the queue by now.
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

  it('that fails says so', async () => {
    const storage = await begun('strict');
    const error = systemError('EPERM');
    failNext('remove', { error });

    expect(await rejection(storage.destroy())).toBe(error);
  });
});
