import { describe, expect, it, vi } from 'vitest';

import { sameBytes } from '../../../../js/src/storage/bytes.js';
import type { Durability } from '../../../../js/src/storage/page-storage.js';
import { tableError } from '../../support/rejection.js';
import { FaultFileSystem } from '../../support/file/fault-file-system.js';
import { chapterOf, openStore, STORE_PATH, tell } from '../../support/file/story.js';

const CHAPTERS = 40;
// Thousands of stores are opened in some of these.
vi.setConfig({ testTimeout: 60_000 });

const DURABILITIES: readonly Durability[] = ['relaxed', 'strict'];

/** The file after each chapter of a store that is never rewritten. */
async function filesOf(durability: Durability, chapters: number): Promise<Uint8Array[]> {
  const fileSystem = new FaultFileSystem();
  const storage = openStore(fileSystem, durability);
  await storage.read({ keys: [] });
  const files = [fileSystem.bytesOf(STORE_PATH)];
  await tell(storage, 1, chapters, () => files.push(fileSystem.bytesOf(STORE_PATH)));
  return files;
}

function storeOf(bytes: Uint8Array): FaultFileSystem {
  const fileSystem = new FaultFileSystem();
  fileSystem.setBytes(STORE_PATH, bytes);
  return fileSystem;
}

/** The chapter that the store is after, or the code under which it cannot be used. */
function outcomeOf(fileSystem: FaultFileSystem, durability: Durability): Promise<number | string> {
  return chapterOf(openStore(fileSystem, durability)).catch((error: { code?: string }) => {
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
      const telling = tell(
        openStore(fileSystem, durability, { deadBytes: 300 }),
        1,
        CHAPTERS,
        (number) => {
          acknowledged = number;
        },
      );
      isOver = await Promise.race([telling.then(() => true), isStuck(fileSystem)]);
      hasRewritten ||= fileSystem.steps.filter(({ kind }) => kind === 'rename').length > 1;
      fileSystem.reboot();

      const next = openStore(fileSystem, durability, { deadBytes: 300 });
      const found = await chapterOf(next);
      expect(found, `died after ${steps} steps`).toBeGreaterThanOrEqual(acknowledged);
      expect(found).toBeLessThanOrEqual(acknowledged + 1);
      await tell(next, found + 1, found + 3, () => undefined);
      expect(await chapterOf(next)).toBe(found + 3);
      await next.close();
      expect([...fileSystem.files.keys()]).toEqual([STORE_PATH]);
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
        const telling = tell(
          openStore(fileSystem, 'strict', { deadBytes: 300 }),
          1,
          CHAPTERS,
          (number) => {
            acknowledged = number;
          },
        );
        isOver = await Promise.race([telling.then(() => true), isStuck(fileSystem)]);
        fileSystem.cutPower(randomNumbers(steps * 7 + seed));

        const next = openStore(fileSystem, 'strict');
        const found = await chapterOf(next);
        expect(found, `power lost after ${steps} steps, seed ${seed}`).toBeGreaterThanOrEqual(
          acknowledged,
        );
        await tell(next, found + 1, found + 2, () => undefined);
        expect(await chapterOf(next)).toBe(found + 2);
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

    await tell(openStore(fileSystem, 'strict'), 1, 3, () => undefined);
    fileSystem.files = new Map(fileSystem.namesOnDisk);
    expect(await chapterOf(openStore(fileSystem, 'strict'))).toBe(3);
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

describe.each(DURABILITIES)('a file written with %s durability', (durability) => {
  it('that ends at any byte is as after the last whole batch', async () => {
    const files = await filesOf(durability, 5);
    const whole = files.at(-1)!;

    for (let length = files[0]!.length; length <= whole.length; length++) {
      const fileSystem = storeOf(whole.subarray(0, length));
      const chapter = files.findLastIndex((file) => file.length <= length);

      expect(await outcomeOf(fileSystem, durability), `cut at ${length}`).toBe(chapter);
      expect(sameBytes(fileSystem.bytesOf(STORE_PATH), files[chapter])).toBe(true);
    }
  });

  it('goes on behind a torn end as if that had never been', async () => {
    const files = await filesOf(durability, 4);
    const fileSystem = storeOf(files[4]!.subarray(0, files[4]!.length - 1));

    await tell(openStore(fileSystem, durability), 4, 9, () => undefined);

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

  // The last batch cannot be told from one that was never finished.  Of what is known to be on
  // the disk, a value that is dead is not looked at.
  it('with any byte damaged is without its last batch, or reported', async () => {
    const files = await filesOf(durability, 6);
    const whole = files.at(-1)!;
    const lastStart = files.at(-2)!.length;

    for (let at = 0; at < whole.length; at++) {
      const bytes = whole.slice();
      bytes[at]! ^= 1 << (at % 8);
      const fileSystem = storeOf(bytes);
      const outcome = await outcomeOf(fileSystem, durability);

      if (at >= lastStart) expect(outcome, `byte ${at}`).toBe(5);
      else if (durability === 'strict' && outcome === 6) continue;
      else expect(outcome, `byte ${at}`).toBe('StorageDamaged');
      if (outcome !== 'StorageDamaged') continue;
      expect(sameBytes(fileSystem.bytesOf(STORE_PATH), bytes)).toBe(true);
    }
  });

  it('with a stretch of zeros before a whole batch is damaged, and says where', async () => {
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

    // Torn, so that a batch behind the tear is looked for.
    const next = openStore(storeOf(bytes.subarray(0, bytes.length - 1)), 'relaxed');
    expect((await next.read({ keys: ['pages/1'] })).values).toEqual([undefined]);
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
    await tell(storage, 1, 2, () => undefined);
    expect(await chapterOf(storage)).toBe(2);
  });
});

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
