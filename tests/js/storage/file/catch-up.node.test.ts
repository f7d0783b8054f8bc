// What a tab takes over of the batches that another tab has appended, or is appending now; and
// which marks are written meanwhile. In OPFS the run of the system is not known: it is 0.

import { beforeEach, describe, expect, it } from 'vitest';

import { BatchFile } from '../../../../js/src/storage/file/batch-file.js';
import { catchUp, loadFile, type LoadedFile } from '../../../../js/src/storage/file/load.js';
import type { StorageKey } from '../../../../js/src/storage/page-storage.js';
import { FaultFileSystem, systemError } from '../../support/file/fault-file-system.js';

const PATH = '/store';
const KEYS = [1, 2, 3].map((number): StorageKey => `log/${number}`);
const always = async () => true;

let fileSystem: FaultFileSystem;
let writer: BatchFile;
let reader: LoadedFile;

const append = (number: number) =>
  writer.append([[`log/${number}`, new Uint8Array(30).fill(number)]]);

const loaded = () =>
  loadFile(fileSystem, PATH, 0, async () => {
    throw new Error('The file has a torn end.');
  });

const known = () => KEYS.filter((key) => reader.index.get(key));

/** Both have the file open; only the writer knows what it appends. */
async function open(boot: number): Promise<void> {
  fileSystem = new FaultFileSystem();
  writer = await BatchFile.make(fileSystem, PATH, PATH, boot);
  reader = await loaded();
}

/** How many writes some work takes. */
async function writesOf(work: () => Promise<unknown>): Promise<number> {
  const count = () => fileSystem.steps.filter(({ kind }) => kind === 'write').length;
  const before = count();
  await work();
  return count() - before;
}

const commit = async (number: number) => {
  await append(number);
  await writer.markWritten();
};

beforeEach(() => open(0));

describe('a tab', () => {
  it('takes over all batches, whether another tab may be appending or not', async () => {
    await commit(1);
    expect(await catchUp(reader, false, always)).toBe(true);
    expect(known()).toEqual(['log/1']);

    await commit(2);
    await writer.append([['log/1', undefined]]);
    expect(await catchUp(reader, true, always)).toBe(true);
    expect(known()).toEqual(['log/2']);
    expect(await reader.file.read([reader.index.get('log/2')])).toEqual([
      new Uint8Array(30).fill(2),
    ]);
  });

  it.each([
    ['is cut off', (bytes: Uint8Array, at: number) => bytes.slice(0, at)],
    ['is zero from there on', (bytes: Uint8Array, at: number) => bytes.slice().fill(0, at)],
  ])('takes nothing of a batch that %s', async (_, incomplete) => {
    const stored = fileSystem.files.get(PATH)!;
    const empty = stored.bytes;
    for (const number of [1, 2]) await commit(number);
    const start = writer.end;
    await append(3);
    const whole = stored.bytes;
    for (let at = start; at < whole.length; at++) {
      stored.bytes = empty;
      reader = await loaded();
      stored.bytes = incomplete(whole, at);

      const isWhole = stored.bytes.length === start;
      for (const isHeld of [true, false]) {
        expect(await catchUp(reader, isHeld, always)).toBe(isWhole);
        expect(known()).toEqual(isWhole ? ['log/1', 'log/2'] : []);
      }
    }
  });

  it('takes nothing of a file that is not the store any more', async () => {
    for (const number of [1, 2]) await commit(number);
    for (const isHeld of [true, false]) {
      expect(await catchUp(reader, isHeld, async () => false)).toBe(false);
      expect(known()).toEqual([]);
    }
  });

  it('does not go on with less than what was on the disk', async () => {
    await commit(1);
    const { end } = writer;
    await commit(2);
    await writer.sync();
    const stored = fileSystem.files.get(PATH)!;
    const changed = stored.bytes.slice();
    changed[writer.end - 1]! ^= 1;
    for (const bytes of [changed, stored.bytes.slice(0, end)]) {
      stored.bytes = bytes;
      for (const isHeld of [true, false]) {
        expect(await catchUp(reader, isHeld, always)).toBe(false);
        expect(known()).toEqual([]);
      }
    }
  });

  it('appends behind the batches of another tab', async () => {
    await commit(1);
    await writer.finish();
    expect(await catchUp(reader, true, always)).toBe(true);
    expect(reader.file.isClosed).toBe(true);

    await reader.file.markOpen();
    await reader.file.sync();
    await reader.file.append([['log/2', Uint8Array.of(2)]]);

    const later = await loaded();
    expect(KEYS.filter((key) => later.index.get(key))).toEqual(['log/1', 'log/2']);
  });
});

describe('a mark', () => {
  it('is written only if it says something new', async () => {
    await commit(1);
    expect(await writesOf(() => commit(2))).toBe(1);
    expect(await writesOf(() => commit(3))).toBe(1);
    expect(await writesOf(() => writer.sync())).toBe(1);
    expect(await writesOf(() => writer.finish())).toBe(1);
    expect(await writesOf(() => writer.markOpen())).toBe(1);
  });

  it('is written with each commit where it proves what the system has', async () => {
    await open(1);
    for (const number of [1, 2, 3]) expect(await writesOf(() => commit(number))).toBe(2);
  });

  it('that could not be written after a sync is written with the next commit', async () => {
    await commit(1);
    await append(2);
    fileSystem.onStep = ({ kind }) =>
      kind === 'write' ? { error: systemError('EIO') } : undefined;
    await writer.sync();
    fileSystem.onStep = undefined;

    expect(await writesOf(() => commit(3))).toBe(2);
  });
});
