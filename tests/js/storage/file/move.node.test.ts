import { describe, expect, it, vi } from 'vitest';

import { ValueReader } from '../../../../js/src/recovery/value-reader.js';
import type { Batch, PageStorage, StorageKey } from '../../../../js/src/storage/page-storage.js';
import {
  FaultFileSystem,
  dyingAtEachStep,
  noFurtherStep,
  systemError,
  type FileStep,
} from '../../support/file/fault-file-system.js';
import { openStore, RESERVE_PATH, STORE_PATH } from '../../support/file/numbered-commits.js';
import { randomNumbers } from '../../support/random-numbers.js';
import { tableError } from '../../support/rejection.js';

vi.setConfig({ testTimeout: 120_000 });

// More than one step of a move, and less than the reserves.
const PAGES = 4;
const PAGE_BYTES = 70_000;
const RESERVE_BYTES = 630_000;
const FIRST = 8;
const PAGE_KEYS = Array.from({ length: PAGES }, (_, at): StorageKey => `pages/${at}`);
const MOVED_PATH = `${STORE_PATH}.moved`;

/** Replaces a page, so its old value is dead. Puts or deletes an empty manifest. */
function version(number: number, frees = true): Batch {
  const page = new Uint8Array(PAGE_BYTES).fill(number);
  return {
    expect: [],
    puts: [
      [`pages/${number % PAGES}`, page],
      [`log/${number}`, Uint8Array.of(number)],
      ...(number % 2 === 0 ? ([['pages/root', new Uint8Array()]] as const) : []),
    ],
    deletes: number % 2 === 0 ? [`log/${number - 1}`] : ['pages/root'],
    frees,
  };
}

const open = (fileSystem: FaultFileSystem) =>
  openStore(fileSystem, 'strict', { reserveBytes: RESERVE_BYTES });

/** A store with many dead values, on a disk that is full except for the reserves. */
async function fullStore(fileSystem: FaultFileSystem): Promise<PageStorage> {
  const storage = open(fileSystem);
  for (let number = 1; number <= FIRST; number++) {
    expect((await storage.commit(version(number, false))).outcome).toBe('ok');
  }
  fileSystem.capacity = fileSystem.used;
  return storage;
}

/** The last stored version. Throws if the store is in no state that a commit has made. */
async function versionOf(storage: PageStorage): Promise<number> {
  const { values, records } = await storage.read({
    keys: ['pages/root', ...PAGE_KEYS],
    recordsAfter: 0,
  });
  const last = records.at(-1)![0];
  const all = Array.from({ length: last }, (_, at) => at + 1);
  const numbers = all.filter((number) => number % 2 === 0 || number === last);
  expect(records.map(([number]) => number)).toEqual(numbers);
  expect(values[0]).toEqual(last % 2 === 0 ? new Uint8Array() : undefined);
  for (let number = last - PAGES + 1; number <= last; number++) {
    const page = values[1 + (number % PAGES)]!;
    expect([page.length, page[0], page.at(-1)]).toEqual([PAGE_BYTES, number, number]);
  }
  return last;
}

/** The files of a process that died after such a step of a move, and its last version. */
async function diedInMove(kind: FileStep['kind'], of: string) {
  const fileSystem = new FaultFileSystem();
  const storage = await fullStore(fileSystem);
  fileSystem.onStep = (step) => {
    if (step.kind === kind && step.name === of && fileSystem.files.has(MOVED_PATH)) {
      fileSystem.stepsToLive = 0;
    }
    if (step.kind === 'rename' && step.name === 'entitable.store.moved') {
      fileSystem.stepsToLive = kind === 'rename' ? 1 : Infinity;
    }
  };
  let last = FIRST;
  void (async () => {
    for (;;) if ((await storage.commit(version(last + 1))).outcome === 'ok') last++;
  })();
  do await noFurtherStep(fileSystem);
  while (fileSystem.stepsToLive > 0);
  fileSystem.reboot();
  return { fileSystem, last };
}

const moves = ({ steps }: FaultFileSystem) =>
  steps.filter(({ kind, name }) => kind === 'rename' && name === 'entitable.store.moved').length;

describe('a store on a full disk, whose file holds much that is dead', () => {
  it('accepts any number of batches that free room, by moving live values', async () => {
    const fileSystem = new FaultFileSystem();
    const storage = await fullStore(fileSystem);

    for (let number = FIRST + 1; number <= 60; number++) {
      expect(await storage.commit(version(number))).toEqual({ outcome: 'ok' });
      expect(await versionOf(storage)).toBe(number);
    }

    expect(moves(fileSystem)).toBeGreaterThan(3);
    await storage.close();
    expect(await versionOf(open(fileSystem))).toBe(60);
    expect([...fileSystem.files.keys()].filter((path) => path.includes('.store'))).toEqual([
      STORE_PATH,
    ]);
  });

  it('waits for reads that began before', async () => {
    const fileSystem = new FaultFileSystem();
    const storage = await fullStore(fileSystem);
    let number = FIRST;
    while (fileSystem.files.has(RESERVE_PATH)) await storage.commit(version(++number));
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    fileSystem.onStep = ({ kind }) => {
      if (kind !== 'read') return undefined;
      fileSystem.onStep = undefined;
      return held;
    };
    const read = versionOf(storage);
    const before = number;
    const committing = (async () => {
      while (moves(fileSystem) === 0) await storage.commit(version(++number));
    })();
    // The move waits for the read.
    await noFurtherStep(fileSystem);
    expect(moves(fileSystem)).toBe(0);
    goOn();

    expect(await read).toBe(before);
    await committing;
    expect(await versionOf(storage)).toBe(number);
  });

  it('reports that there is too little room, and does not change', async () => {
    const fileSystem = new FaultFileSystem();
    const storage = await fullStore(fileSystem);
    fileSystem.onStep = ({ kind, name }) =>
      kind === 'write' && name === 'entitable.store.new'
        ? { error: systemError('ENOSPC') }
        : undefined;
    let number = FIRST;
    let outcome;
    do ({ outcome } = await storage.commit(version(++number)));
    while (outcome === 'ok');

    expect(outcome).toBe('quota');
    expect(await versionOf(storage)).toBe(number - 1);
    fileSystem.reboot();
    // The store tries again when more values are dead, or there is room.
    fileSystem.capacity += 2 * PAGE_BYTES;
    expect((await storage.commit(version(number))).outcome).toBe('ok');
  });

  it('that holds a damaged value is not moved', async () => {
    const fileSystem = new FaultFileSystem();
    const storage = await fullStore(fileSystem);
    const bytes = fileSystem.bytesOf(STORE_PATH);
    bytes[bytes.length - 1]! ^= 1;
    const size = bytes.length;
    let number = FIRST;
    let result;
    // Keeps the damaged page.
    do {
      number += number % PAGES === PAGES - 1 ? 2 : 1;
      result = await storage.commit(version(number));
    } while (result.outcome === 'ok');

    expect(result).toMatchObject({ outcome: 'refused', cause: { code: 'StorageDamaged' } });
    expect(fileSystem.bytesOf(STORE_PATH).length).toBeGreaterThan(size);
    expect(moves(fileSystem)).toBe(0);
  });

  it.each(['dies', 'loses power'] as const)(
    'keeps what it acknowledged when its process or machine %s at any step of a move',
    async (end) => {
      const fileSystem = new FaultFileSystem();
      const storage = await fullStore(fileSystem);
      let acknowledged = FIRST;

      async function commits(): Promise<void> {
        while (moves(fileSystem) === 0 || acknowledged < FIRST + 12) {
          const { outcome } = await storage.commit(version(acknowledged + 1));
          if (outcome !== 'ok') throw new Error(outcome);
          acknowledged++;
        }
      }
      await dyingAtEachStep(fileSystem, commits, async (left, steps) => {
        if (end === 'loses power') left.cutPower(randomNumbers(steps));

        const next = open(left);
        const found = await versionOf(next);
        expect(found, `after ${steps} steps`).toBeGreaterThanOrEqual(acknowledged);
        expect(found).toBeLessThanOrEqual(acknowledged + 1);
        expect(await next.commit(version(found + 1))).toEqual({ outcome: 'ok' });
        await next.close();
        expect(await versionOf(open(left))).toBe(found + 1);
        expect(left.files.has(MOVED_PATH)).toBe(false);
      });

      expect(moves(fileSystem)).toBeGreaterThan(0);
    },
  );

  it('loses nothing in a power cut after a sync that failed in a move', async () => {
    const fileSystem = new FaultFileSystem();
    const storage = await fullStore(fileSystem);
    // The first sync of a step of the move.
    fileSystem.onStep = ({ kind, name }) => {
      if (kind !== 'write' || name !== 'entitable.store.moved') return undefined;
      fileSystem.onStep = undefined;
      fileSystem.dropsAtNextSync = true;
      return undefined;
    };
    let number = FIRST;
    let outcome;
    do ({ outcome } = await storage.commit(version(++number)));
    while (outcome === 'ok');

    expect((await storage.commit(version(number))).outcome).toBe('ok');

    fileSystem.cutPower((below) => below - 1);
    expect(await versionOf(open(fileSystem))).toBe(number);
  });

  it('is not treated as a new one if the file that it was moved from is deleted', async () => {
    const { fileSystem } = await diedInMove('rename', 'entitable.store.moved');
    fileSystem.files.delete(STORE_PATH);

    const error = await tableError(open(fileSystem).read({ keys: [] }));
    expect(error.code).toBe('StorageDamaged');
    expect(error.message).toMatch(/is missing, but entitable\.store\.moved .* Put the file back/);
    expect(fileSystem.files.has(STORE_PATH)).toBe(false);
  });
});

describe('a move that cannot be finished', () => {
  // The place of the damaged byte, from the end if it is negative, and how many pages are lost.
  it.each([
    ['the first file', STORE_PATH, 'rename', 'entitable.store.moved', -100, 1],
    ['the first file after a step', STORE_PATH, 'truncate', 'entitable.store', -100, 1],
    ['the head of the second file', MOVED_PATH, 'rename', 'entitable.store.moved', 8, 0],
  ] as const)(
    'because of damage in %s says so, and all else can be repaired',
    async (_, path, kind, name, at, lost) => {
      const { fileSystem, last } = await diedInMove(kind, name);
      const bytes = fileSystem.bytesOf(path);
      bytes[at < 0 ? bytes.length + at : at]! ^= 1;
      const storage = open(fileSystem);
      const error = await tableError(storage.read({ keys: [] }));
      const reader = await ValueReader.open(storage);

      expect(error.code).toBe('StorageDamaged');
      expect(error.message).toMatch(/remove entitable\.store\.moved\. Otherwise repair\(\)/);
      const found = await reader.read({ keys: PAGE_KEYS });
      const pages = Array.from({ length: PAGES }, (_, page) => last - ((last - page) % PAGES));
      const kept = found.values.filter((value, page) => value?.[0] === pages[page]);
      expect(kept).toHaveLength(PAGES - lost);
    },
  );
});
