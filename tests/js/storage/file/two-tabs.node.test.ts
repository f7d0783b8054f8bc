// Two tabs have a store open, as in OPFS. What one of them does to the file is no damage for the
// other one, and what it knows of the disk counts for both.

import { beforeEach, describe, expect, it } from 'vitest';

import { FileStores } from '../../../../js/src/storage/file/stores.js';
import type { Batch, PageStorage, StorageKey } from '../../../../js/src/storage/page-storage.js';
import { FaultFileSystem, systemError } from '../../support/file/fault-file-system.js';
import { FOLDER, STORE_PATH } from '../../support/file/numbered-commits.js';
import { TabAccess, TabLock } from '../../support/file/tab-access.js';

// More than one step of a move, and less than the reserves.
const PAGES = 4;
const PAGE_BYTES = 100_000;
const RESERVE_BYTES = 900_000;
const LAST = 8;

let fileSystem: FaultFileSystem;
let lock: TabLock;
let first: PageStorage;
let second: PageStorage;

function openTab(writer: string): PageStorage {
  const setting = {
    fileSystem,
    boot: 0,
    access: new TabAccess(lock),
    writer,
    deadBytes: Infinity,
    reserveBytes: RESERVE_BYTES,
  };
  const stores = new FileStores({
    resolve: async (folder) => folder,
    settingFor: () => setting,
    channelOf: (folder) => folder,
  });
  return stores.storageFor({ folder: FOLDER, durability: 'strict' });
}

/** Replaces one of the pages. */
const version = (number: number, frees: boolean): Batch => ({
  expect: [],
  puts: [[`pages/${number % PAGES}`, new Uint8Array(PAGE_BYTES).fill(number)]],
  deletes: [],
  frees,
});

/** The versions of the pages, in the order of versions. */
async function versionsIn(storage: PageStorage): Promise<number[]> {
  const keys = Array.from({ length: PAGES }, (_, at): StorageKey => `pages/${at}`);
  const { values } = await storage.read({ keys });
  for (const value of values) {
    expect(value).toHaveLength(PAGE_BYTES);
    expect(value!.every((byte) => byte === value![0])).toBe(true);
  }
  return values.map((value) => value![0]!).sort((one, other) => one - other);
}

/** Resolves when the first tab has cut the file for the first time, and does nothing more. */
function stopInMove(): { reached: Promise<void>; goOn: () => void } {
  let goOn = () => {};
  const stopped = new Promise<void>((resolve) => (goOn = resolve));
  const reached = new Promise<void>((resolve) => {
    let isCut = false;
    fileSystem.onStep = ({ kind, name }) => {
      if (kind === 'write' && isCut) {
        fileSystem.onStep = undefined;
        resolve();
        return stopped;
      }
      const isMoving = fileSystem.files.has(`${STORE_PATH}.moved`);
      isCut ||= isMoving && kind === 'truncate' && name === 'entitable.store';
      return undefined;
    };
  });
  return { reached, goOn };
}

/** Both tabs know the store, whose pages have been replaced once. */
beforeEach(async () => {
  fileSystem = new FaultFileSystem(true);
  lock = new TabLock();
  first = openTab('first');
  second = openTab('second');
  for (let number = 1; number <= LAST; number++) {
    expect((await first.commit(version(number, false))).outcome).toBe('ok');
  }
  expect(await versionsIn(second)).toEqual([5, 6, 7, 8]);
});

describe('while another tab moves the values on a full disk', () => {
  // The values are in two files, and the first one was cut.
  async function beginMove() {
    fileSystem.capacity = fileSystem.used;
    const { reached, goOn } = stopInMove();
    const committing = fill();
    await reached;
    return { committing, goOn };
  }

  // Commits until the reserve is used up, so that the values move. The other tab knows each commit.
  async function fill() {
    for (let number = LAST + 1; number <= 40; number++) {
      await versionsIn(second);
      expect(await first.commit(version(number, true))).toEqual({ outcome: 'ok' });
    }
  }

  it('a read waits for the end of the move', async () => {
    const { committing, goOn } = await beginMove();
    const waiting = lock.whenWaiting();
    const reading = versionsIn(second);
    await Promise.race([waiting, reading]);
    goOn();

    const found = await reading;
    expect(found).toEqual(Array.from({ length: PAGES }, (_, at) => found[0]! + at));
    await committing;
    expect(await versionsIn(second)).toEqual([37, 38, 39, 40]);
  });

  it.each(['read', 'commit'])('a %s finishes it, if that tab died', async (kind) => {
    await beginMove();
    lock.free();

    if (kind === 'commit') {
      expect(await second.commit(version(41, true))).toEqual({ outcome: 'ok' });
    }
    const found = await versionsIn(second);
    const last = kind === 'commit' ? 41 : found.at(-1)!;
    expect(found.at(-1)).toBe(last);
    expect(found).toHaveLength(PAGES);
    expect([...fileSystem.files.keys()].filter((path) => path.includes('.moved'))).toEqual([]);
  });

  it('the store can be closed, if that tab died', async () => {
    await beginMove();
    lock.free();

    await second.close();

    const found = await versionsIn(openTab('third'));
    expect(found).toEqual(Array.from({ length: PAGES }, (_, at) => found[0]! + at));
  });
});

describe('after a sync that failed in another tab', () => {
  it('a commit goes to a new file, because the old one may not reach the disk', async () => {
    const doubtful = fileSystem.files.get(STORE_PATH);
    fileSystem.onStep = ({ kind }) => {
      if (kind !== 'sync') return undefined;
      fileSystem.onStep = undefined;
      return { error: systemError('EIO') };
    };

    const { outcome } = await first.commit(version(9, false));
    expect(outcome).toBe('unknown');
    expect(await second.commit(version(10, false))).toEqual({ outcome: 'ok' });

    expect(fileSystem.files.get(STORE_PATH)).not.toBe(doubtful);
    expect(await versionsIn(first)).toEqual([7, 8, 9, 10]);
  });
});

describe('a file that was cut', () => {
  it('is damage, if no tab moves it', async () => {
    const file = fileSystem.files.get(STORE_PATH)!;
    file.bytes = file.bytes.slice(0, PAGE_BYTES);

    await expect(versionsIn(second)).rejects.toMatchObject({ code: 'StorageDamaged' });
  });
});
