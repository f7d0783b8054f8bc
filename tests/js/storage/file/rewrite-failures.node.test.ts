import { describe, expect, it, vi } from 'vitest';

import type { PageStorage } from '../../../../js/src/storage/page-storage.js';
import { systemError } from '../../support/file/fault-file-system.js';
import {
  batchOf,
  lastCommitOf,
  FOLDER,
  STORE_PATH,
  commitAll,
} from '../../support/file/numbered-commits.js';
import {
  NEW_NAME,
  fileSystem,
  openStore,
  begun,
  problems,
  failNext,
  count,
  outcomeOf,
  useFailingStores,
} from '../../support/file/failing-store.js';

useFailingStores();

describe('a rewrite', () => {
  /** Commits until one more file has replaced the store. */
  async function untilRewritten(storage: PageStorage, from: number): Promise<number> {
    const renames = count('rename');
    let number = from;
    while (count('rename') === renames) await commitAll(storage, number, number++, () => undefined);
    return number - 1;
  }

  it('leaves out dead values, and has the commits since its beginning', async () => {
    const storage = await begun('relaxed', 300);

    const last = await untilRewritten(storage, 4);

    expect(await lastCommitOf(storage)).toBe(last);
    await commitAll(storage, last + 1, 50, () => undefined);
    await storage.close();
    expect(await lastCommitOf(openStore(fileSystem, 'relaxed'))).toBe(50);
    expect(fileSystem.bytesOf(STORE_PATH).length).toBeLessThan(3000);
    expect(problems).not.toHaveBeenCalled();
  });

  it('waits for a read that began before it', async () => {
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

  it.each(['close', 'destroy'] as const)('stops with %s, and leaves no file', async (end) => {
    const storage = await begun('relaxed', 300);
    let ended: Promise<void> | undefined;
    fileSystem.onStep = ({ kind, name }) => {
      if (kind === 'write' && name === NEW_NAME) ended ??= storage[end]();
      return undefined;
    };
    for (let n = 4; !ended; n++) await commitAll(storage, n, n, () => undefined);
    await ended;

    expect([...fileSystem.files.keys()]).toEqual(end === 'close' ? [STORE_PATH] : []);
  });
});
