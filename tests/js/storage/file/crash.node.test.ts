import { describe, expect, it, vi } from 'vitest';

import { sameBytes } from '../../../../js/src/storage/bytes.js';
import { FILE_HEADER_LENGTH } from '../../../../js/src/storage/file/format.js';
import {
  FaultFileSystem,
  dyingAtEachStep,
  noFurtherStep,
} from '../../support/file/fault-file-system.js';
import {
  lastCommitOf,
  openStore,
  RESERVE_PATH,
  STORE_PATH,
  commitAll,
} from '../../support/file/numbered-commits.js';
import {
  DURABILITIES,
  filesOf,
  unmarked,
  cutsIn,
  storeOf,
  outcomeOf,
} from '../../support/file/stored-bytes.js';
import { randomNumbers } from '../../support/random-numbers.js';

const COMMITS = 40;
// Thousands of stores are opened in some of these.
vi.setConfig({ testTimeout: 60_000 });

describe.each(DURABILITIES)('a process that writes with %s durability', (durability) => {
  it('may die at any step, with all acknowledged commits stored, and none in part', async () => {
    const options = { deadBytes: 300, reserveBytes: 100 };
    const fileSystem = new FaultFileSystem();
    const storage = openStore(fileSystem, durability, options);
    let acknowledged = 0;
    const acknowledge = (number: number) => (acknowledged = number);
    const commits = () => commitAll(storage, 1, COMMITS, acknowledge);

    await dyingAtEachStep(fileSystem, commits, async (left, steps) => {
      const next = openStore(left, durability, options);
      const found = await lastCommitOf(next);
      expect(found, `died after ${steps} steps`).toBeGreaterThanOrEqual(acknowledged);
      expect(found).toBeLessThanOrEqual(acknowledged + 1);
      await commitAll(next, found + 1, found + 3, () => undefined);
      expect(await lastCommitOf(next)).toBe(found + 3);
      await next.close();
      const others = [...left.files.keys()].filter((path) => !path.includes('.cut-'));
      expect(others.sort()).toEqual([RESERVE_PATH, `${RESERVE_PATH}.move`, STORE_PATH]);
      expect(cutsIn(left).length).toBeLessThan(2);
    });

    expect(acknowledged).toBe(COMMITS);
    expect(fileSystem.steps.filter(({ kind }) => kind === 'rename').length).toBeGreaterThan(1);
  });
});

describe('a machine that loses power at any step', () => {
  it('keeps commits that were acknowledged with strict durability', async () => {
    const fileSystem = new FaultFileSystem();
    const storage = openStore(fileSystem, 'strict', { deadBytes: 300 });
    let acknowledged = 0;
    const acknowledge = (number: number) => (acknowledged = number);
    const commits = () => commitAll(storage, 1, COMMITS, acknowledge);

    await dyingAtEachStep(fileSystem, commits, async (left, steps) => {
      for (let seed = 1; seed <= 3; seed++) {
        const disk = left.copy();
        disk.cutPower(randomNumbers(steps * 7 + seed));

        const next = openStore(disk, 'strict');
        const found = await lastCommitOf(next);
        expect(found, `power lost after ${steps} steps, seed ${seed}`).toBeGreaterThanOrEqual(
          acknowledged,
        );
        await commitAll(next, found + 1, found + 2, () => undefined);
        expect(await lastCommitOf(next)).toBe(found + 2);
      }
    });

    expect(acknowledged).toBe(COMMITS);
  });
});

describe('a process that follows one that died before a name was on the disk', () => {
  it('syncs the name, so that its own writes survive a power cut', async () => {
    const fileSystem = new FaultFileSystem();
    // The rename is its last step.
    fileSystem.onStep = ({ kind }) => {
      if (kind === 'rename') fileSystem.stepsToLive = 0;
      return undefined;
    };
    void openStore(fileSystem, 'strict').read({ keys: [] });
    await noFurtherStep(fileSystem);
    fileSystem.reboot();

    await commitAll(openStore(fileSystem, 'strict'), 1, 3, () => undefined);
    fileSystem.files = new Map(fileSystem.namesOnDisk);
    expect(await lastCommitOf(openStore(fileSystem, 'strict'))).toBe(3);
  });
});

describe('the unfinished file of a process that died', () => {
  it('is removed at the next opening', async () => {
    const [empty] = await filesOf('strict', 0);
    const fileSystem = storeOf(empty!);
    fileSystem.setBytes(`${STORE_PATH}.new`, Uint8Array.of(1));

    await openStore(fileSystem, 'strict').read({ keys: [] });

    expect(fileSystem.files.has(`${STORE_PATH}.new`)).toBe(false);
  });
});

describe('a file written with relaxed durability, after a power cut', () => {
  it('that ends at any byte is as after the last whole batch', async () => {
    const files = await filesOf('relaxed', 5);
    const whole = files.at(-1)!;

    for (let length = files[0]!.length; length <= whole.length; length++) {
      const fileSystem = storeOf(whole.subarray(0, length));
      const commit = files.findLastIndex((file) => file.length <= length);

      expect(await outcomeOf(fileSystem, 'relaxed'), `cut at ${length}`).toBe(commit);
      const batches = fileSystem.bytesOf(STORE_PATH).subarray(FILE_HEADER_LENGTH);
      expect(sameBytes(batches, files[commit]!.subarray(FILE_HEADER_LENGTH))).toBe(true);
      const torn = whole.subarray(files[commit]!.length, length);
      expect(cutsIn(fileSystem)).toEqual(torn.length > 0 ? [torn] : []);
    }
  });
});

describe('a file written with relaxed durability, on a system that has run on since', () => {
  it('that ends at any byte of an acknowledged batch is damaged, and not changed', async () => {
    const files = await filesOf('relaxed', 5);
    const whole = files.at(-1)!;

    for (let length = FILE_HEADER_LENGTH; length < whole.length; length++) {
      const fileSystem = storeOf(whole.subarray(0, length), { boot: 1 });

      expect(await outcomeOf(fileSystem, 'relaxed'), `cut at ${length}`).toBe('StorageDamaged');
      expect(fileSystem.bytesOf(STORE_PATH)).toHaveLength(length);
    }
    expect(await outcomeOf(storeOf(whole, { boot: 1 }), 'relaxed')).toBe(5);
  });

  it('and killed in the middle of a write is as before that', async () => {
    const files = await filesOf('relaxed', 5);
    const torn = unmarked(files, 5).subarray(0, files[5]!.length - 1);

    expect(await outcomeOf(storeOf(torn, { boot: 1 }), 'relaxed')).toBe(4);
  });
});

describe('a file written with strict durability', () => {
  it('that ends at any byte of an unacknowledged batch is as before that batch', async () => {
    const files = await filesOf('strict', 5);
    const whole = unmarked(files, 5);

    for (let { length } = files[4]!; length < whole.length; length++) {
      const fileSystem = storeOf(whole.subarray(0, length));

      expect(await outcomeOf(fileSystem, 'strict'), `cut at ${length}`).toBe(4);
      expect(sameBytes(fileSystem.bytesOf(STORE_PATH), files[4])).toBe(true);
      const torn = whole.subarray(files[4]!.length, length);
      expect(cutsIn(fileSystem)).toEqual(torn.length > 0 ? [torn] : []);
    }
  });

  it('that ends at any byte of an acknowledged batch is damaged, and not changed', async () => {
    const files = await filesOf('strict', 5);
    const whole = files.at(-1)!;

    for (let length = FILE_HEADER_LENGTH; length < whole.length; length++) {
      const fileSystem = storeOf(whole.subarray(0, length));

      expect(await outcomeOf(fileSystem, 'strict'), `cut at ${length}`).toBe('StorageDamaged');
      expect([...fileSystem.files.keys()]).toEqual([STORE_PATH]);
      expect(fileSystem.bytesOf(STORE_PATH)).toHaveLength(length);
    }
  });
});
