/**
 * The few calls of a file system that a store needs. Tests use a file system that fails. Every call
 * rejects with the error of the system.
 *
 * @module
 */

/** An open file. Positions and sizes are in bytes. */
export interface OpenFile {
  /** Returns how many bytes were read: fewer than asked for, or 0, at the end. */
  read(into: Uint8Array, position: number): Promise<number>;

  /** Returns how many bytes were written, which may be fewer than given. */
  write(bytes: Uint8Array, position: number): Promise<number>;

  /** Resolves when all written bytes are on the disk. */
  sync(): Promise<void>;

  truncate(size: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

/** The file at a place. */
export interface FileStat {
  /** The identity of the file: it stays while the file exists, wherever the file is moved. */
  readonly id: string;

  /** In bytes. */
  readonly size: number;
}

/** `read`: the file must exist, and may also be written; `make`: the file is created or emptied. */
export type OpenMode = 'read' | 'make';

export interface FileSystem {
  /**
   * True if other tabs may change the files whenever this one does not hold them: then a file may
   * be replaced while it is open.
   */
  readonly isShared: boolean;

  /** The path of a file in a folder. */
  pathOf(folder: string, name: string): string;

  /**
   * Makes a folder and its parents, unless they exist, durably. Only the user of the process may
   * enter a new folder. Returns the real path.
   */
  makeFolder(path: string): Promise<string>;

  namesIn(folder: string): Promise<string[]>;

  /** Only the user of the process may read and write a new file. */
  open(path: string, mode: OpenMode): Promise<OpenFile>;

  /** Returns the file of that name; undefined, if there is none. */
  stat(path: string): Promise<FileStat | undefined>;

  /** Replaces a file by another one, as a whole or not at all. */
  rename(from: string, to: string): Promise<void>;

  /** Succeeds also if there is no such file. */
  remove(path: string): Promise<void>;

  /** Resolves when the names in it are on the disk. */
  syncFolder(path: string): Promise<void>;

  /** Removes files that no name is left of. Only where names are apart from files. */
  removeUnnamed?(): Promise<void>;

  /** Removes a folder with everything in it. Only where the folder has nothing else. */
  removeFolder?(path: string): Promise<void>;
}
