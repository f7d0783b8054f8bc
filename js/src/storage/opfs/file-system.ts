/**
 * The files of one store in the origin private file system. They have numbers; a table of names
 * says which of them is which.
 *
 * Chromium lets several tabs have a file open. Elsewhere a file is open in one tab at a time, so
 * all files are closed while this tab does not hold them.
 *
 * @module
 */

import type { FileStat, FileSystem, OpenFile, OpenMode } from '../file/file-system.js';
import { damaged } from '../file/problems.js';
import { isShareable, openHandle, type SyncAccessHandle } from './handles.js';
import { decodeNames, encodeNames, NAMES_LENGTH, type NameTable } from './names.js';
import { OpfsFile, type Opened } from './open-file.js';

const NAMES = 'names';
const FILE_PREFIX = 'file-';

// How long a tab in Chromium may take to notice that the browser has removed its files.
const CHECK_MS = 1_000;

export class OpfsFileSystem implements FileSystem {
  readonly isShared = true;
  readonly #folderName: string;

  /** True if files stay open while other tabs hold them. */
  keepsFilesOpen = false;
  #isHeld = false;
  #folder: FileSystemDirectoryHandle | undefined;
  #names: SyncAccessHandle | undefined;

  // Undefined: there is no store, or its table is damaged.
  #table: NameTable | undefined;
  #isDamaged = false;
  #checkedAt = -CHECK_MS;
  readonly #opened = new Map<number, Opened>();

  // Files that lost their names to others. They stay until the new table is on the disk.
  readonly #replaced = new Set<number>();

  // Set while the table may differ from that on the disk although the system calls it clean.
  #isTableDoubtful = false;

  // The store that the open files are of.
  #storeId: Uint8Array | undefined;

  constructor(folderName: string) {
    this.#folderName = folderName;
  }

  /** This tab holds the files from now on: opens those again that were open. */
  async resume(): Promise<void> {
    const isRecent = performance.now() < this.#checkedAt + CHECK_MS;
    if (this.#names && isRecent) this.#readTable();
    else await this.#openNames();
    // Other tabs may have changed the sizes.
    for (const opened of this.#opened.values()) opened.size = undefined;
    this.#isHeld = true;
    if (!this.#isSameStore()) return;
    for (const opened of this.#opened.values()) {
      if (opened.handle || !this.#isNamed(opened.number)) continue;
      opened.handle = await openHandle(this.#folder!, nameOf(opened.number));
    }
  }

  /** Other tabs may hold the files from now on. */
  pause(): void {
    this.#isHeld = false;
    if (!this.keepsFilesOpen) this.#closeAll();
  }

  /** Closes everything. `resume()` opens it again. */
  close(): void {
    this.#isHeld = false;
    this.#closeAll();
    this.#checkedAt = -CHECK_MS;
  }

  async makeFolder(path: string): Promise<string> {
    this.#requireHold();
    this.#throwIfDamaged();
    if (this.#table) return path;
    const root = await navigator.storage.getDirectory();
    this.#folder = await root.getDirectoryHandle(this.#folderName, { create: true });
    if ((await this.#fileNames()).length > 0) throw damaged(path, 0, 'has lost its table of names');
    this.#names ??= await openHandle(this.#folder, NAMES, true);
    this.keepsFilesOpen = isShareable(this.#names);
    const id = crypto.getRandomValues(new Uint8Array(16));
    this.#writeTable({ id, number: 1, nextFile: 1, files: new Map() });
    await this.syncFolder();
    return path;
  }

  pathOf(folder: string, name: string): string {
    return `${folder}/${name}`;
  }

  async namesIn(): Promise<string[]> {
    return [...this.#currentFiles().keys()];
  }

  async open(path: string, mode: OpenMode): Promise<OpenFile> {
    const name = lastOf(path);
    if (this.#opened.size === 0) this.#storeId = this.#table?.id;
    if (mode === 'read') {
      const number = this.#currentFiles().get(name);
      if (number === undefined) throw notFound(path);
      return this.#fileOf(await this.#use(number));
    }
    this.#requireHold();
    const before = this.#currentFiles().get(name);
    const number = this.#table!.nextFile;
    // Another call may make a file while this one waits.
    this.#table = { ...this.#table!, nextFile: number + 1 };
    const opened = await this.#use(number, true);
    opened.handle!.truncate(0);
    const files = new Map(this.#table!.files).set(name, number);
    this.#writeTable({ ...this.#table, files });
    if (before !== undefined) await this.#removeUnused(before);
    return this.#fileOf(opened);
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const number = this.#currentFiles().get(lastOf(path));
    if (number === undefined || !this.#isSameStore()) return undefined;
    const id = `${number}`;
    const known = this.#opened.get(number);
    if (known?.handle) return { id, size: this.#sizeOf(known, known.handle) };
    const file = await this.open(path, 'read');
    return { id, size: await file.size().finally(() => file.close()) };
  }

  async rename(from: string, to: string): Promise<void> {
    this.#requireHold();
    const files = new Map(this.#table?.files);
    const number = files.get(lastOf(from));
    if (number === undefined) throw notFound(from);
    const before = files.get(lastOf(to));
    files.delete(lastOf(from));
    files.set(lastOf(to), number);
    this.#writeTable({ ...this.#table!, files });
    if (before !== undefined) this.#replaced.add(before);
  }

  async remove(path: string): Promise<void> {
    this.#requireHold();
    const files = new Map(this.#table?.files);
    const number = files.get(lastOf(path));
    if (number === undefined) return;
    files.delete(lastOf(path));
    this.#writeTable({ ...this.#table!, files });
    await this.syncFolder();
    await this.#removeUnused(number);
  }

  async syncFolder(): Promise<void> {
    // After a failure, the system may drop the table and call it clean.
    if (this.#isTableDoubtful && this.#table) this.#writeTable(this.#table);
    this.#isTableDoubtful = true;
    this.#names?.flush();
    this.#isTableDoubtful = false;
    const replaced = [...this.#replaced];
    this.#replaced.clear();
    for (const number of replaced) await this.#removeUnused(number);
  }

  /**
   * Removes the folder. Files that other tabs have open stay until the next opening; those tabs
   * find another store there.
   */
  async removeFolder(): Promise<void> {
    this.#requireHold();
    if (!this.#folder) return;
    if (this.#names) {
      const id = crypto.getRandomValues(new Uint8Array(16));
      const { number, nextFile } = this.#table ?? { number: 0, nextFile: 1 };
      // Both slots, because one may be damaged.
      for (const more of [1, 2]) {
        this.#writeTable({ id, number: number + more, nextFile, files: new Map() });
      }
      await this.syncFolder();
    }
    this.#isDamaged = false;
    for (const name of await this.#fileNames()) await this.#removeEntry(name);
    if ((await this.#fileNames()).length > 0) return;
    this.#names?.close();
    this.#names = this.#table = undefined;
    await this.#removeEntry(NAMES);
    const root = await navigator.storage.getDirectory();
    await root.removeEntry(this.#folderName).catch(() => undefined);
    this.#folder = undefined;
  }

  /** Removes files that have no name, because a tab died or another one still had them open. */
  async removeUnnamed(): Promise<void> {
    const numbers = (await this.#fileNames()).map((name) => Number(name.slice(FILE_PREFIX.length)));
    const unnamed = numbers.filter((number) => !this.#isNamed(number));
    // The tab that died may not have brought the table to the disk.
    if (unnamed.length > 0) await this.syncFolder();
    for (const number of unnamed) await this.#removeUnused(number);
  }

  // A commit asks twice for the size; the browser takes 2 µs each time.
  #sizeOf(opened: Opened, handle: SyncAccessHandle): number {
    if (!this.#isHeld) return handle.getSize();
    return (opened.size ??= handle.getSize());
  }

  #fileOf(opened: Opened): OpenFile {
    return new OpfsFile(opened, () => this.#release(opened));
  }

  async #release(opened: Opened): Promise<void> {
    if (--opened.users > 0) return;
    this.#opened.delete(opened.number);
    opened.handle?.close();
    opened.handle = undefined;
    // It may have been replaced while it was open.
    if (this.#isHeld) await this.#removeUnused(opened.number);
  }

  // Until the new table is there, the old one stays: others read while this waits.
  async #openNames(): Promise<void> {
    const names = await this.#foundNames();
    this.#names?.close();
    this.#names = names;
    this.#table = undefined;
    this.#isDamaged = false;
    if (!names) return;
    this.keepsFilesOpen = isShareable(names);
    this.#checkedAt = performance.now();
    this.#readTable();
  }

  // Undefined, if there is no store.
  async #foundNames(): Promise<SyncAccessHandle | undefined> {
    try {
      const root = await navigator.storage.getDirectory();
      this.#folder = await root.getDirectoryHandle(this.#folderName);
      return await openHandle(this.#folder, NAMES);
    } catch (cause) {
      if ((cause as Partial<Error> | null)?.name === 'NotFoundError') return undefined;
      throw cause;
    }
  }

  #readTable(): void {
    const bytes = new Uint8Array(NAMES_LENGTH);
    const length = this.#names!.read(bytes, { at: 0 });
    this.#table = decodeNames(bytes);
    // An empty file is one that was just made.
    this.#isDamaged = !this.#table && length > 0;
  }

  #writeTable(table: NameTable): void {
    const next = { ...table, number: table.number + 1 };
    const { bytes, offset } = encodeNames(next);
    this.#names!.write(bytes, { at: offset });
    this.#table = next;
  }

  // Without a hold, others may have changed them.
  #currentFiles(): ReadonlyMap<string, number> {
    if (!this.#isHeld && this.#names) this.#readTable();
    this.#throwIfDamaged();
    return this.#table?.files ?? new Map<string, number>();
  }

  #throwIfDamaged(): void {
    if (this.#isDamaged) throw damaged(this.#folderName, 0, 'has a damaged table of names');
  }

  #isSameStore(): boolean {
    if (this.#opened.size === 0 || !this.#storeId) return true;
    const id = this.#table?.id;
    return this.#storeId.every((byte, at) => id?.[at] === byte);
  }

  #isNamed(number: number): boolean {
    return [...(this.#table?.files.values() ?? [])].includes(number);
  }

  async #use(number: number, isMade = false): Promise<Opened> {
    const known = this.#opened.get(number);
    const opened = known ?? { number, handle: undefined, users: 0, size: undefined };
    opened.users++;
    this.#opened.set(number, opened);
    try {
      if (!opened.handle) await (opened.opening ??= this.#openHandleOf(opened, isMade));
      return opened;
    } catch (cause) {
      if (--opened.users === 0) this.#opened.delete(number);
      throw cause;
    }
  }

  // Calls at once share it: where handles are exclusive, the second would wait for the first.
  async #openHandleOf(opened: Opened, isMade: boolean): Promise<void> {
    try {
      opened.handle = await openHandle(this.#folder!, nameOf(opened.number), isMade);
    } finally {
      opened.opening = undefined;
    }
  }

  #closeAll(): void {
    this.#names?.close();
    this.#names = undefined;
    for (const opened of this.#opened.values()) {
      opened.handle?.close();
      opened.handle = undefined;
    }
  }

  async #removeUnused(number: number): Promise<void> {
    if (this.#isNamed(number) || this.#opened.has(number) || this.#replaced.has(number)) return;
    await this.#removeEntry(nameOf(number));
  }

  // It fails while another tab has the file open. That tab, or the next opening, tries again.
  async #removeEntry(name: string): Promise<void> {
    await this.#folder!.removeEntry(name).catch(() => undefined);
  }

  async #fileNames(): Promise<string[]> {
    const names: string[] = [];
    for await (const name of keysOf(this.#folder!)) {
      if (name.startsWith(FILE_PREFIX)) names.push(name);
    }
    return names;
  }

  #requireHold(): void {
    if (!this.#isHeld) throw new Error('Another tab may be using the files.');
  }
}

const nameOf = (number: number) => `${FILE_PREFIX}${number}`;
const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

const notFound = (path: string) => new DOMException(`There is no file ${path}.`, 'NotFoundError');

function keysOf(folder: FileSystemDirectoryHandle): AsyncIterable<string> {
  return (folder as unknown as { keys(): AsyncIterable<string> }).keys();
}
