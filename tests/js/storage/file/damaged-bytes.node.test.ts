import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { sameBytes } from '../../../../js/src/storage/bytes.js';
import { FILE_HEADER_LENGTH } from '../../../../js/src/storage/file/format.js';
import { FaultFileSystem, systemError } from '../../support/file/fault-file-system.js';
import {
  lastCommitOf,
  openStore,
  STORE_PATH,
  commitAll,
} from '../../support/file/numbered-commits.js';
import { tableError } from '../../support/rejection.js';
import {
  DURABILITIES,
  filesOf,
  unmarked,
  cutsIn,
  storeOf,
  outcomeOf,
  firstVersion,
} from '../../support/file/stored-bytes.js';

// Thousands of stores are opened in some of these.
vi.setConfig({ testTimeout: 60_000 });

describe.each(DURABILITIES)('a file written with %s durability', (durability) => {
  it('continues behind a torn end as if it had never been there', async () => {
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
  it('whose values look like batches is read correctly', async () => {
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

  it('whose end was torn is reported, with the place of the saved end', async () => {
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
    // Later listeners get the report, too.
    const later = new Promise((resolve) => storage.onStatus!(resolve));
    expect(await later).toBe('torn');
    await storage.destroy();
    expect([...fileSystem.files.keys()]).toEqual([]);
  });

  it('whose end was torn reports that until it is closed, also to later listeners', async () => {
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

  it('whose end is torn is opened, although there is no room to save the end', async () => {
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

  it('of version 1 is read, and rewritten with the first commit', async () => {
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

  it('of a newer version is reported, and not changed', async () => {
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
