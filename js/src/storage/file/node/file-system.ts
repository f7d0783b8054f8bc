/**
 * The file system of `node:fs`, which Deno and Bun have, too.
 *
 * @module
 */

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';

import type { FileSystem, OpenFile } from '../file-system.js';
import { isNoEntry } from '../problems.js';

/** Files of the operating system. */
export const nodeFileSystem: FileSystem = {
  // The lock of the folder keeps other processes out.
  isShared: false,
  pathOf: join,
  async makeFolder(path) {
    const firstMade = await makeWithParents(path);
    const folder = await fs.promises.realpath(path);
    // The parent of each new folder must be synced.
    const top = firstMade && dirname(await fs.promises.realpath(firstMade));
    for (let at = folder; top && at !== top;) {
      at = dirname(at);
      await nodeFileSystem.syncFolder(at);
    }
    return folder;
  },
  namesIn: (folder) => fs.promises.readdir(folder),
  async open(path, mode) {
    const flags = { read: 'r+', make: 'w+' }[mode];
    return new NodeFile(await answerOf<number>((done) => fs.open(path, flags, 0o600, done)));
  },
  // Synchronous: the system has the answer in memory, and another thread takes ten times as long.
  async stat(path) {
    const found = fs.statSync(path, { throwIfNoEntry: false });
    return found && { id: `${found.dev}:${found.ino}`, size: found.size };
  },
  rename: (from, to) => fs.promises.rename(from, to),
  remove: (path) => fs.promises.rm(path, { force: true }),
  async syncFolder(path) {
    const folder = await answerOf<number>((done) => fs.open(path, 'r', done)).catch(noFolders);
    if (folder === undefined) return;
    try {
      await answerOf<void>((done) => fs.fsync(folder, done)).catch(noFolders);
    } finally {
      await answerOf<void>((done) => fs.close(folder, done));
    }
  },
};

// Returns the first folder that was made; undefined, if they all exist. The recursive mkdir of Node
// never ends in a folder like /proc: a new folder cannot be made there because it does not exist.
async function makeWithParents(path: string): Promise<string | undefined> {
  try {
    return await makeUnlessThere(path);
  } catch (cause) {
    const parent = dirname(path);
    if (!isNoEntry(cause) || parent === path) throw cause;
    const firstMade = await makeWithParents(parent);
    const made = await makeUnlessThere(path);
    return firstMade ?? made;
  }
}

async function makeUnlessThere(path: string): Promise<string | undefined> {
  try {
    await fs.promises.mkdir(path, { mode: 0o700 });
    return path;
  } catch (cause) {
    const found = await fs.promises.stat(path).catch(() => undefined);
    if (found?.isDirectory()) return undefined;
    throw cause;
  }
}

// Windows cannot open or sync folders. There, names are on the disk when a call returns.
function noFolders(cause: unknown): undefined {
  if (['EISDIR', 'EPERM', 'EINVAL'].includes((cause as NodeJS.ErrnoException).code ?? '')) return;
  throw cause;
}

// The system copies a write of this length to its memory in a few microseconds. To give it to
// another thread takes ten times as long.
const SHORT_WRITE = 64 * 1024;

class NodeFile implements OpenFile {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  read(into: Uint8Array, position: number): Promise<number> {
    return answerOf((done) => fs.read(this.#descriptor, into, 0, into.length, position, done));
  }

  async write(bytes: Uint8Array, position: number): Promise<number> {
    const { length } = bytes;
    if (length <= SHORT_WRITE) {
      return fs.writeSync(this.#descriptor, bytes, 0, length, position);
    }
    // eslint-disable-next-line entitable/arguments-before-await -- answerOf() calls it at once
    return answerOf((done) => fs.write(this.#descriptor, bytes, 0, length, position, done));
  }

  // It also brings the size to the disk, but not the time of the last change.
  sync(): Promise<void> {
    return answerOf((done) => fs.fdatasync(this.#descriptor, done));
  }

  truncate(size: number): Promise<void> {
    return answerOf((done) => fs.ftruncate(this.#descriptor, size, done));
  }

  async size(): Promise<number> {
    return (await answerOf<fs.Stats>((done) => fs.fstat(this.#descriptor, done))).size;
  }

  close(): Promise<void> {
    return answerOf((done) => fs.close(this.#descriptor, done));
  }
}

// Callbacks take half the time of the promises of node:fs.
function answerOf<T>(
  ask: (done: (error: Error | null | undefined, answer?: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    ask((error, answer) => (error ? reject(error) : resolve(answer as T)));
  });
}
