// fault-file-system.ts - a file system in memory. A test makes it fail, die or lose power.

import { basename, dirname, join } from 'node:path';

import type {
  FileStat,
  FileSystem,
  OpenFile,
  OpenMode,
} from '../../../../js/src/storage/file/file-system.js';

/** What the file system is about to do. */
export interface FileStep {
  readonly kind:
    | 'makeFolder'
    | 'namesIn'
    | 'open'
    | 'stat'
    | 'rename'
    | 'remove'
    | 'syncFolder'
    | 'read'
    | 'write'
    | 'sync'
    | 'truncate'
    | 'size'
    | 'close';
  readonly name: string;

  /** The bytes of a write. */
  readonly length?: number | undefined;
}

/** The result of a step that fails. */
export interface Fault {
  readonly error?: unknown;

  /** How many bytes a write stores, before the error if there is one. */
  readonly written?: number;
}

interface StoredFile {
  readonly id: string;
  bytes: Uint8Array;
  onDisk: Uint8Array;

  /** Bytes that no sync writes: from a place, up to another one. */
  dropped?: readonly [number, number] | undefined;
}

let made = 0;

const storedFile = (bytes: Uint8Array): StoredFile => ({
  id: `${made++}`,
  bytes: bytes.slice(),
  onDisk: bytes.slice(),
});

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

const SECTOR = 512;

export class FaultFileSystem implements FileSystem {
  readonly isShared: boolean;
  readonly pathOf = join;
  files = new Map<string, StoredFile>();
  namesOnDisk = new Map<string, StoredFile>();
  readonly steps: FileStep[] = [];

  /** Called before each step. It may delay the step, or return a fault. */
  onStep: ((step: FileStep) => Fault | undefined | void | Promise<void>) | undefined;

  /** The number of the system's run. Each power cut adds one. */
  boot = 1;

  /** The most bytes that all files may have together. */
  capacity = Infinity;

  /** @param isShared - whether other tabs may change the files. */
  constructor({ isShared = false } = {}) {
    this.isShared = isShared;
  }

  /** The current names of the open files. */
  get openNames(): string[] {
    return [...this.#open].map((nameNow) => nameNow());
  }
  readonly #open = new Set<() => string>();

  /**
   * The next sync fails, and the system drops what the file has got since the last one. It still
   * shows those bytes, but calls them clean: later syncs do not write them.
   */
  dropsAtNextSync = false;

  /** After so many steps the process is dead: no later step is carried out or answered. */
  stepsToLive = Infinity;

  async makeFolder(path: string): Promise<string> {
    await this.#step({ kind: 'makeFolder', name: path });
    return path;
  }

  async namesIn(folder: string): Promise<string[]> {
    await this.#step({ kind: 'namesIn', name: folder });
    return [...this.files.keys()]
      .filter((path) => dirname(path) === folder)
      .map((path) => basename(path));
  }

  async open(path: string, mode: OpenMode): Promise<OpenFile> {
    const name = basename(path);
    await this.#step({ kind: 'open', name });
    let file = this.files.get(path);
    if (!file && mode === 'read') throw systemError('ENOENT');
    if (!file) this.files.set(path, (file = storedFile(new Uint8Array())));
    if (mode === 'make') file.bytes = new Uint8Array();
    return this.#opened(name, file);
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const file = this.files.get(path);
    await this.#step({ kind: 'stat', name: basename(path) });
    return file && { id: file.id, size: file.bytes.length };
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#step({ kind: 'rename', name: basename(to) });
    const file = this.files.get(from);
    if (!file) throw systemError('ENOENT');
    this.files.set(to, file);
    this.files.delete(from);
  }

  async remove(path: string): Promise<void> {
    await this.#step({ kind: 'remove', name: basename(path) });
    this.files.delete(path);
  }

  async syncFolder(path: string): Promise<void> {
    await this.#step({ kind: 'syncFolder', name: path });
    this.namesOnDisk = new Map(this.files);
  }

  /** Ends the process, and begins another one. */
  reboot(): void {
    this.stepsToLive = Infinity;
    this.onStep = undefined;
  }

  /** Changes or cuts off bytes that were not synced. Names that were not synced may be lost. */
  cutPower(random: (below: number) => number): void {
    if (random(2) === 0) this.files = new Map(this.namesOnDisk);
    for (const file of this.files.values()) {
      const kept = Math.min(file.onDisk.length, file.bytes.length);
      const length = kept + random(file.bytes.length - kept + 1);
      const bytes = file.bytes.slice(0, length);
      if (random(2) === 0) bytes.fill(0, kept + random(length - kept + 1));
      bytes.set(file.onDisk.subarray(0, kept));
      // Each sector that was overwritten has its old or its new bytes.
      for (let at = 0; at < kept; at += SECTOR) {
        const written = file.bytes.subarray(at, Math.min(at + SECTOR, kept));
        if (random(2) === 0) bytes.set(written, at);
      }
      file.bytes = file.onDisk = bytes;
    }
    this.namesOnDisk = new Map(this.files);
    this.boot++;
    this.reboot();
  }

  /**
   * The same files, for a process that begins now. No byte is changed in place, so both share them.
   */
  copy(): FaultFileSystem {
    const copy = new FaultFileSystem({ isShared: this.isShared });
    const copies = new Map<StoredFile, StoredFile>();
    const copiesOf = (names: ReadonlyMap<string, StoredFile>) =>
      new Map(
        Array.from(names, ([path, file]) => {
          const own = copies.get(file) ?? { ...file };
          copies.set(file, own);
          return [path, own] as const;
        }),
      );
    copy.files = copiesOf(this.files);
    copy.namesOnDisk = copiesOf(this.namesOnDisk);
    copy.boot = this.boot;
    copy.capacity = this.capacity;
    return copy;
  }

  /** The bytes of all files together. */
  get used(): number {
    return [...this.files.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  bytesOf(path: string): Uint8Array {
    return this.files.get(path)!.bytes;
  }

  setBytes(path: string, bytes: Uint8Array): void {
    this.files.set(path, storedFile(bytes));
  }

  // A step has the current name of the file, or its last one if it was removed.
  #opened(openedAs: string, file: StoredFile): OpenFile {
    const nameNow = () => {
      const found = [...this.files].find(([, other]) => other === file);
      return found ? basename(found[0]) : openedAs;
    };
    let isClosed = false;
    this.#open.add(nameNow);
    const step = async (kind: FileStep['kind'], length?: number) => {
      if (isClosed) throw systemError('EBADF');
      return this.#step({ kind, name: nameNow(), length }, kind === 'write');
    };
    return {
      read: async (into, position) => {
        await step('read');
        // The file may have been closed while the step waited.
        if (isClosed) throw systemError('EBADF');
        const found = file.bytes.subarray(position, position + into.length);
        into.set(found);
        return found.length;
      },
      write: async (bytes, position) => {
        const fault = await step('write', bytes.length);
        const room = this.capacity - this.used;
        const growth = position + bytes.length - file.bytes.length;
        const fits = growth > room ? Math.max(0, bytes.length - (growth - room)) : bytes.length;
        if (fits === 0 && bytes.length > 0) throw systemError('ENOSPC');
        const count = fault?.written ?? (fault?.error ? 0 : fits);
        const grown = new Uint8Array(Math.max(file.bytes.length, position + count));
        grown.set(file.bytes);
        grown.set(bytes.subarray(0, count), position);
        file.bytes = grown;
        if (fault?.error) throw fault.error;
        return count;
      },
      sync: async () => {
        await step('sync');
        if (this.dropsAtNextSync) {
          this.dropsAtNextSync = false;
          file.dropped = [file.onDisk.length, file.bytes.length];
          throw systemError('EIO');
        }
        file.onDisk = file.bytes.slice();
        if (file.dropped) file.onDisk.fill(0, ...file.dropped);
      },
      truncate: async (size) => {
        await step('truncate');
        file.bytes = file.bytes.slice(0, size);
        if (file.dropped && size <= file.dropped[0]) file.dropped = undefined;
      },
      size: async () => {
        await step('size');
        return file.bytes.length;
      },
      close: async () => {
        // A system releases a file even if it reports that closing failed.
        this.#open.delete(nameNow);
        await step('close');
        isClosed = true;
      },
    };
  }

  async #step(step: FileStep, isWrite = false): Promise<Fault | undefined> {
    this.steps.push(step);
    // A dead process gets no answer.
    if (this.stepsToLive <= 0) return new Promise(() => undefined);
    this.stepsToLive--;
    const fault = await this.onStep?.(step);
    if (fault?.error && !isWrite) throw fault.error;
    return fault ?? undefined;
  }
}

/** Resolves when a process takes no further step until it is answered. */
export async function noFurtherStep({ steps }: FaultFileSystem): Promise<void> {
  for (let seen = -1; seen < steps.length;) {
    seen = steps.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * Lets a process do its work, and stops it before each step. Calls `died` with the files as they
 * are if it dies there, and with the number of steps that it has taken; also after its last one.
 */
export async function dyingAtEachStep(
  fileSystem: FaultFileSystem,
  work: () => Promise<void>,
  died: (left: FaultFileSystem, steps: number) => Promise<void>,
): Promise<void> {
  let taken = 0;
  const look = async () => {
    await noFurtherStep(fileSystem);
    await died(fileSystem.copy(), taken++);
  };
  let looking = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    fileSystem.onStep = () => {
      looking = looking.then(look);
      // The step fails, too, and so would the work: with an error that says less.
      looking.catch(reject);
      return looking;
    };
    work().then(resolve, reject);
  });
  fileSystem.onStep = undefined;
  await look();
}
