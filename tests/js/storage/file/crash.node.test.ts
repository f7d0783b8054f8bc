import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { sameBytes } from '../../../../js/src/storage/bytes.js';
import { crc32c } from '../../../../js/src/storage/file/crc32c.js';
import {
  encodeBatch,
  FILE_HEADER_LENGTH,
  type Change,
} from '../../../../js/src/storage/file/format.js';
import type { Durability } from '../../../../js/src/storage/page-storage.js';
import { FaultFileSystem, systemError } from '../../support/file/fault-file-system.js';
import {
  batchOf,
  lastCommitOf,
  openStore,
  RESERVE_PATH,
  STORE_PATH,
  commitAll,
} from '../../support/file/numbered-commits.js';
import { tableError } from '../../support/rejection.js';

const CHAPTERS = 40;
// Thousands of stores are opened in some of these.
vi.setConfig({ testTimeout: 60_000 });

const DURABILITIES: readonly Durability[] = ['relaxed', 'strict'];

/** The file after each commit of a store that is never rewritten. */
async function filesOf(durability: Durability, commits: number): Promise<Uint8Array[]> {
  const fileSystem = new FaultFileSystem();
  const storage = openStore(fileSystem, durability);
  await storage.read({ keys: [] });
  const files = [fileSystem.bytesOf(STORE_PATH)];
  await commitAll(storage, 1, commits, () => files.push(fileSystem.bytesOf(STORE_PATH)));
  return files;
}

/** The file when a process has written commit `number`, and died before it wrote a mark. */
function unmarked(files: readonly Uint8Array[], number: number): Uint8Array {
  const bytes = files[number]!.slice();
  bytes.set(files[number - 1]!.subarray(0, FILE_HEADER_LENGTH));
  return bytes;
}

/** What was cut off, and kept. */
function cutsIn({ files }: FaultFileSystem): Uint8Array[] {
  return [...files].filter(([path]) => path.includes('.cut-')).map(([, { bytes }]) => bytes);
}

/** A disk with that file; after a power cut, if not said otherwise. */
function storeOf(bytes: Uint8Array, { boot = 2 }: { boot?: number } = {}): FaultFileSystem {
  const fileSystem = new FaultFileSystem();
  fileSystem.boot = boot;
  fileSystem.setBytes(STORE_PATH, bytes);
  return fileSystem;
}

/** The commit that the store is after, or the code under which it cannot be used. */
function outcomeOf(fileSystem: FaultFileSystem, durability: Durability): Promise<number | string> {
  return lastCommitOf(openStore(fileSystem, durability)).catch((error: { code?: string }) => {
    if (error.code === undefined) throw error;
    return error.code;
  });
}

describe.each(DURABILITIES)('a process that writes with %s durability', (durability) => {
  it('may die at any step: what was acknowledged is there, and nothing in part', async () => {
    let hasRewritten = false;
    for (let steps = 0, isOver = false; !isOver; steps++) {
      const fileSystem = new FaultFileSystem();
      fileSystem.stepsToLive = steps;
      let acknowledged = 0;
      const committing = commitAll(
        openStore(fileSystem, durability, { deadBytes: 300, reserveBytes: 100 }),
        1,
        CHAPTERS,
        (number) => {
          acknowledged = number;
        },
      );
      isOver = await Promise.race([committing.then(() => true), isStuck(fileSystem)]);
      hasRewritten ||= fileSystem.steps.filter(({ kind }) => kind === 'rename').length > 1;
      fileSystem.reboot();

      const next = openStore(fileSystem, durability, { deadBytes: 300, reserveBytes: 100 });
      const found = await lastCommitOf(next);
      expect(found, `died after ${steps} steps`).toBeGreaterThanOrEqual(acknowledged);
      expect(found).toBeLessThanOrEqual(acknowledged + 1);
      await commitAll(next, found + 1, found + 3, () => undefined);
      expect(await lastCommitOf(next)).toBe(found + 3);
      await next.close();
      const others = [...fileSystem.files.keys()].filter((path) => !path.includes('.cut-'));
      expect(others.sort()).toEqual([RESERVE_PATH, `${RESERVE_PATH}.move`, STORE_PATH]);
      expect(cutsIn(fileSystem).length).toBeLessThan(2);
    }
    expect(hasRewritten).toBe(true);
  });
});

describe('a machine that loses power at any step', () => {
  it('keeps what was acknowledged with strict durability', async () => {
    for (let steps = 0, isOver = false; !isOver; steps++) {
      for (let seed = 1; seed <= 3; seed++) {
        const fileSystem = new FaultFileSystem();
        fileSystem.stepsToLive = steps;
        let acknowledged = 0;
        const committing = commitAll(
          openStore(fileSystem, 'strict', { deadBytes: 300 }),
          1,
          CHAPTERS,
          (number) => {
            acknowledged = number;
          },
        );
        isOver = await Promise.race([committing.then(() => true), isStuck(fileSystem)]);
        fileSystem.cutPower(randomNumbers(steps * 7 + seed));

        const next = openStore(fileSystem, 'strict');
        const found = await lastCommitOf(next);
        expect(found, `power lost after ${steps} steps, seed ${seed}`).toBeGreaterThanOrEqual(
          acknowledged,
        );
        await commitAll(next, found + 1, found + 2, () => undefined);
        expect(await lastCommitOf(next)).toBe(found + 2);
      }
    }
  });
});

describe('a process that follows one that died before a name was on the disk', () => {
  it('sees to it, so that its own writes outlive a power cut', async () => {
    const fileSystem = new FaultFileSystem();
    // The rename is its last step.
    fileSystem.onStep = ({ kind }) => {
      if (kind === 'rename') fileSystem.stepsToLive = 0;
      return undefined;
    };
    void openStore(fileSystem, 'strict').read({ keys: [] });
    await isStuck(fileSystem);
    fileSystem.reboot();

    await commitAll(openStore(fileSystem, 'strict'), 1, 3, () => undefined);
    fileSystem.files = new Map(fileSystem.namesOnDisk);
    expect(await lastCommitOf(openStore(fileSystem, 'strict'))).toBe(3);
  });
});

describe('what a process that died was writing', () => {
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
  it('that ends at any byte of what was acknowledged is damaged, and left alone', async () => {
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
  it('that ends at any byte of what was not acknowledged is as before that', async () => {
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

  it('that ends at any byte of what was acknowledged is damaged, and left alone', async () => {
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

describe.each(DURABILITIES)('a file written with %s durability', (durability) => {
  it('goes on behind a torn end as if that had never been', async () => {
    const files = await filesOf(durability, 4);
    const fileSystem = storeOf(unmarked(files, 4).subarray(0, files[4]!.length - 1));

    await commitAll(openStore(fileSystem, durability), 4, 9, () => undefined);

    expect(await outcomeOf(fileSystem, durability)).toBe(9);
  });

  it('that is too short for its header is damaged', async () => {
    const [empty] = await filesOf(durability, 0);

    for (let length = 0; length < 25; length++) {
      const fileSystem = storeOf(empty!.subarray(0, length));
      expect(await outcomeOf(fileSystem, durability)).toBe('StorageDamaged');
      expect(fileSystem.bytesOf(STORE_PATH)).toHaveLength(length);
    }
  });

  // Without a mark, the last batch looks like an unfinished one. In synced batches, dead values are
  // not checked. One of the two marks may be lost, and the bytes between the parts of the header
  // have no meaning.
  it('with any damaged byte has lost only unacknowledged writes, or reports the damage', async () => {
    const files = await filesOf(durability, 6);
    const whole = unmarked(files, 6);
    const lastStart = files.at(-2)!.length;

    for (let at = 0; at < whole.length; at++) {
      const bytes = whole.slice();
      bytes[at]! ^= 1 << (at % 8);
      const fileSystem = storeOf(bytes);
      const outcome = await outcomeOf(fileSystem, durability);

      if (at >= lastStart) expect(outcome, `byte ${at}`).toBe(5);
      else if (at >= 25 && at < FILE_HEADER_LENGTH) expect(outcome, `byte ${at}`).toBe(6);
      else if (durability === 'strict' && outcome === 6) continue;
      else expect(outcome, `byte ${at}`).toBe('StorageDamaged');
      if (outcome !== 'StorageDamaged') continue;
      expect(sameBytes(fileSystem.bytesOf(STORE_PATH), bytes)).toBe(true);
    }
  });

  it('that has lost both marks is damaged', async () => {
    const files = await filesOf(durability, 3);
    const bytes = files[3]!.slice().fill(0, 512, FILE_HEADER_LENGTH);

    expect(await outcomeOf(storeOf(bytes), durability)).toBe('StorageDamaged');
  });

  it('and closed is damaged as soon as it has another length, by however little', async () => {
    const fileSystem = new FaultFileSystem();
    const storage = openStore(fileSystem, durability);
    await commitAll(storage, 1, 5, () => undefined);
    await storage.close();
    const whole = fileSystem.bytesOf(STORE_PATH);

    expect(await outcomeOf(storeOf(whole), durability)).toBe(5);
    for (let length = FILE_HEADER_LENGTH; length < whole.length; length++) {
      expect(await outcomeOf(storeOf(whole.subarray(0, length)), durability)).toBe(
        'StorageDamaged',
      );
    }
    for (const more of [1, 40, 5_000]) {
      const longer = storeOf(Uint8Array.from([...whole, ...new Uint8Array(more)]));
      expect(await outcomeOf(longer, durability)).toBe('StorageDamaged');
      expect(longer.bytesOf(STORE_PATH)).toHaveLength(whole.length + more);
    }
  });

  it('is open again when more is written, and is as after a crash until it is closed', async () => {
    const fileSystem = new FaultFileSystem();
    for (const [from, to] of [
      [1, 3],
      [4, 5],
      [6, 8],
    ] as const) {
      const storage = openStore(fileSystem, durability);
      await commitAll(storage, from, to, () => undefined);
      if (to < 8) await storage.close();
    }
    const bytes = fileSystem.bytesOf(STORE_PATH);

    expect(await outcomeOf(storeOf(bytes), durability)).toBe(8);
    const noise = Uint8Array.from([...bytes, 1, 2, 3]);
    expect(await outcomeOf(storeOf(noise), durability)).toBe(8);
  });

  it('and shifted by a byte anywhere before its last batch is damaged, not torn', async () => {
    const files = await filesOf(durability, 6);
    const whole = unmarked(files, 6);

    for (let at = 0; at < files[5]!.length; at++) {
      const longer = Uint8Array.from([...whole.subarray(0, at), 0, ...whole.subarray(at)]);
      const shorter = Uint8Array.from([...whole.subarray(0, at), ...whole.subarray(at + 1)]);
      for (const bytes of [longer, shorter]) {
        const fileSystem = storeOf(bytes);
        expect(await outcomeOf(fileSystem, durability), `byte ${at}`).toBe('StorageDamaged');
        expect(sameBytes(fileSystem.bytesOf(STORE_PATH), bytes)).toBe(true);
      }
    }
  });

  it('with zeros before a whole batch reports the damage and its place', async () => {
    const files = await filesOf(durability, 6);
    const bytes = files[6]!.slice().fill(0, files[3]!.length, files[4]!.length);
    const storage = openStore(storeOf(bytes), durability);

    const error = await tableError(storage.read({ keys: [] }));

    expect(error.code).toBe('StorageDamaged');
    expect(error.cause).toMatchObject({ path: STORE_PATH, offset: files[3]!.length });
    const { outcome, cause } = await storage.commit({ expect: [], puts: [], deletes: [] });
    expect(outcome).toBe('refused');
    expect(cause).toMatchObject({ code: 'StorageDamaged' });
  });

  it('with zeros or noise behind the last batch is cut to it', async () => {
    const files = await filesOf(durability, 3);
    for (const noise of [0, 1, 255, 'E'.charCodeAt(0)]) {
      const bytes = new Uint8Array(files[3]!.length + 100_000).fill(noise);
      bytes.set(files[3]!);

      expect(await outcomeOf(storeOf(bytes), durability)).toBe(3);
    }
  });
});

describe('a file', () => {
  it('whose values hold the bytes of batches is read for what it is', async () => {
    const [inner] = (await filesOf('relaxed', 3)).slice(-1);
    const fileSystem = new FaultFileSystem();
    const storage = openStore(fileSystem, 'relaxed');
    await storage.commit({ expect: [], puts: [['pages/1', inner!]], deletes: [] });
    const bytes = fileSystem.bytesOf(STORE_PATH);

    // Torn, so that the storage searches for a batch behind the tear.
    const next = openStore(storeOf(bytes.subarray(0, bytes.length - 1)), 'relaxed');
    expect((await next.read({ keys: ['pages/1'] })).values).toEqual([undefined]);
  });

  it('whose interrupted write was to store a copy of the file itself is only torn', async () => {
    const fileSystem = new FaultFileSystem();
    const storage = openStore(fileSystem, 'relaxed');
    await commitAll(storage, 1, 3, () => undefined);
    const inner = fileSystem.bytesOf(STORE_PATH);
    await storage.commit({ expect: [], puts: [['pages/9', inner]], deletes: [] });
    const bytes = fileSystem.bytesOf(STORE_PATH);

    expect(await outcomeOf(storeOf(bytes.subarray(0, bytes.length - 1)), 'relaxed')).toBe(3);
  });

  it('whose end was torn says so, and where that is kept', async () => {
    const files = await filesOf('strict', 3);
    const fileSystem = storeOf(unmarked(files, 3).subarray(0, files[3]!.length - 1));
    const problems: unknown[] = [];
    const storage = openStore(fileSystem, 'strict', { onProblem: (cause) => problems.push(cause) });
    const statuses: string[] = [];
    storage.onStatus!((status) => statuses.push(status));
    await storage.read({ keys: [] });

    const [offset, length] = [files[2]!.length, files[3]!.length - 1 - files[2]!.length];
    const keptIn = `${STORE_PATH}.cut-1`;
    expect(problems).toMatchObject([{ name: 'TornEnd', path: STORE_PATH, offset, length, keptIn }]);
    expect(statuses).toEqual(['torn']);
    // Who listens later hears of it, too.
    const later = new Promise((resolve) => storage.onStatus!(resolve));
    expect(await later).toBe('torn');
    await storage.destroy();
    expect([...fileSystem.files.keys()]).toEqual([]);
  });

  it('whose end was torn says so until it is closed, and to those who still listen', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const files = await filesOf('strict', 3);
    const fileSystem = storeOf(unmarked(files, 3).subarray(0, files[3]!.length - 1));
    const storage = openStore(fileSystem, 'strict');
    const statuses: string[] = [];
    await storage.read({ keys: [] });
    storage.onStatus!((status) => statuses.push(status))();
    vi.runAllTimers();
    expect(statuses).toEqual([]);

    await storage.close();
    storage.onStatus!((status) => statuses.push(status));
    await storage.read({ keys: [] });
    vi.runAllTimers();
    expect(statuses).toEqual([]);
  });

  it('whose end is torn is opened although there is no room to keep that', async () => {
    const files = await filesOf('strict', 3);
    const fileSystem = storeOf(unmarked(files, 3).subarray(0, files[3]!.length - 1));
    const problems: unknown[] = [];
    fileSystem.onStep = ({ kind, name }) =>
      kind === 'write' && name.includes('.cut-') ? { error: systemError('ENOSPC') } : undefined;
    const storage = openStore(fileSystem, 'strict', { onProblem: (cause) => problems.push(cause) });

    expect(await lastCommitOf(storage)).toBe(2);

    expect(problems).toMatchObject([{ name: 'TornEnd', keptIn: undefined }]);
    expect(cutsIn(fileSystem)).toEqual([]);
  });

  it('keeps the last ten ends that were torn', async () => {
    const files = await filesOf('strict', 3);
    const fileSystem = storeOf(files[2]!);
    for (let crash = 1; crash <= 12; crash++) {
      fileSystem.setBytes(STORE_PATH, Uint8Array.from([...files[2]!, crash]));
      expect(await outcomeOf(fileSystem, 'strict')).toBe(2);
    }

    const firsts = cutsIn(fileSystem).map((bytes) => bytes[0]!);
    expect(firsts.sort((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('of version 1 is read, and written anew with the first commit', async () => {
    const fileSystem = storeOf(await firstVersion(3));

    const storage = openStore(fileSystem, 'strict');
    expect(await lastCommitOf(storage)).toBe(3);
    expect(fileSystem.bytesOf(STORE_PATH)[4]).toBe(1);
    const renames = () => fileSystem.steps.filter(({ kind }) => kind === 'rename').length;
    let last = 3;
    while (renames() === 0 && last < 50) await commitAll(storage, ++last, last, () => undefined);
    await storage.close();

    expect(fileSystem.bytesOf(STORE_PATH)[4]).toBe(2);
    expect(await outcomeOf(fileSystem, 'strict')).toBe(last);
  });

  it('of version 1 that is shifted by a byte before its last batch is damaged', async () => {
    const whole = await firstVersion(4);
    const end = (await firstVersion(3)).length;

    for (let at = 0; at < end; at++) {
      const longer = Uint8Array.from([...whole.subarray(0, at), 0, ...whole.subarray(at)]);
      const shorter = Uint8Array.from([...whole.subarray(0, at), ...whole.subarray(at + 1)]);
      expect(await outcomeOf(storeOf(longer), 'strict')).toBe('StorageDamaged');
      expect(await outcomeOf(storeOf(shorter), 'strict')).toBe('StorageDamaged');
    }
  });

  it('of a newer version is left alone, and says so', async () => {
    const [bytes] = await filesOf('strict', 0);
    const newer = bytes!.slice();
    newer[4]! += 1;
    const fileSystem = storeOf(newer);

    const error = await tableError(openStore(fileSystem, 'strict').read({ keys: [] }));

    expect(error.code).toBe('StorageDamaged');
    expect(error.message).toContain('was written by a newer version');
    expect(fileSystem.bytesOf(STORE_PATH)).toEqual(newer);
  });

  it('that is damaged can be destroyed, and the store used again', async () => {
    const fileSystem = storeOf(Uint8Array.of(1, 2, 3));
    const storage = openStore(fileSystem, 'strict');
    await tableError(storage.read({ keys: [] }));

    await storage.destroy();

    expect(fileSystem.files.size).toBe(0);
    await commitAll(storage, 1, 2, () => undefined);
    expect(await lastCommitOf(storage)).toBe(2);
  });
});

/** A file of the first version of the format, which had no marks. */
async function firstVersion(commits: number): Promise<Uint8Array> {
  const id = Uint8Array.from({ length: 16 }, (_, at) => at);
  const header = Uint8Array.from([...new TextEncoder().encode('ETFS'), 1, ...id, 0, 0, 0, 0]);
  new DataView(header.buffer).setUint32(21, crc32c(header.subarray(0, 21)), true);
  const parts: Uint8Array[] = [header];
  let end = header.length;
  for (let number = 1; number <= commits; number++) {
    const { puts, deletes } = batchOf(number);
    const changes: Change[] = [...deletes.map((key) => [key, undefined] as const), ...puts];
    const at = { offset: end, synced: end, seed: crc32c(id) };
    parts.push(encodeBatch(changes, at).bytes);
    end += parts.at(-1)!.length;
  }
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Resolves to false when the file system has died and nobody can go on. */
async function isStuck(fileSystem: FaultFileSystem): Promise<false> {
  for (;;) {
    const steps = fileSystem.steps.length;
    await new Promise((resolve) => setImmediate(resolve));
    if (fileSystem.stepsToLive <= 0 && fileSystem.steps.length === steps) return false;
  }
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed * 2654435761;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
