// Two tabs have one store open, as in OPFS. A move by one is no damage to the other. After a failed
// sync, neither relies on the old file.

import { beforeEach, describe, expect, it } from 'vitest';

import { FileStores } from '../../../../js/src/storage/file/stores.js';
import type { Batch, PageStorage, StorageKey } from '../../../../js/src/storage/page-storage.js';
import { FaultFileSystem } from '../../support/file/fault-file-system.js';
import { FOLDER, STORE_PATH } from '../../support/file/numbered-commits.js';
import { TabAccess, TabLock } from '../../support/file/tab-access.js';

// More than one step of a move, and less than the reserves.
const PAGES = 4;
const PAGE_BYTES = 100_000;
const RESERVE_BYTES = 900_000;
const LAST = 8;
const LAST_FILLED = 40;

const OK = { outcome: 'ok' };

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

/** The versions that the pages have after one commit, from the oldest one on. */
const versionsFrom = (oldest: number) => Array.from({ length: PAGES }, (_, at) => oldest + at);

/** Stops the first tab before its first write after it cut the file. `goOn` continues. */
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
  fileSystem = new FaultFileSystem({ isShared: true });
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
    for (let number = LAST + 1; number <= LAST_FILLED; number++) {
      await versionsIn(second);
      expect(await first.commit(version(number, true))).toEqual(OK);
    }
  }

  it('a read finds what one commit has stored', async () => {
    const { committing, goOn } = await beginMove();
    const waiting = lock.whenWaiting();
    const reading = versionsIn(second);
    await Promise.race([waiting, reading]);
    goOn();

    const found = await reading;
    expect(found).toEqual(versionsFrom(found[0]!));
    await committing;
    expect((await versionsIn(second)).at(-1)).toBe(LAST_FILLED);
  });

  it('a read finds all values, if that tab died', async () => {
    await beginMove();
    lock.free();

    const found = await versionsIn(second);

    expect(found).toEqual(versionsFrom(found[0]!));
  });

  it('a commit is stored, if that tab died', async () => {
    await beginMove();
    lock.free();

    expect(await second.commit(version(LAST_FILLED + 1, true))).toEqual(OK);

    expect(await versionsIn(openTab('third'))).toContain(LAST_FILLED + 1);
  });

  it('the store can be closed, if that tab died', async () => {
    await beginMove();
    lock.free();

    await second.close();

    const found = await versionsIn(openTab('third'));
    expect(found).toEqual(versionsFrom(found[0]!));
  });
});

describe('after a sync that failed in another tab', () => {
  it('as it closed the store, a power cut takes nothing of a later commit', async () => {
    expect(await first.commit(version(9, false), { durability: 'relaxed' })).toEqual(OK);
    fileSystem.dropsAtNextSync = true;
    await first.close();

    expect(await second.commit(version(10, false))).toEqual(OK);

    fileSystem.cutPower((below) => below - 1);
    expect(await versionsIn(openTab('third'))).toEqual([7, 8, 9, 10]);
  });

  it('a power cut takes nothing of a later commit', async () => {
    fileSystem.dropsAtNextSync = true;

    const { outcome } = await first.commit(version(9, false));
    expect(outcome).toBe('unknown');
    expect(await second.commit(version(10, false))).toEqual(OK);

    fileSystem.cutPower((below) => below - 1);
    expect(await versionsIn(openTab('third'))).toEqual([7, 8, 9, 10]);
  });
});

describe('a file that was cut', () => {
  it('is damage, unless a tab is moving it', async () => {
    const file = fileSystem.files.get(STORE_PATH)!;
    file.bytes = file.bytes.slice(0, PAGE_BYTES);

    await expect(versionsIn(second)).rejects.toMatchObject({ code: 'StorageDamaged' });
  });
});
