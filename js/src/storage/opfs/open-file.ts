/**
 * A file of the origin private file system, as the store uses it.
 *
 * @module
 */

import type { OpenFile } from '../file/file-system.js';
import type { SyncAccessHandle } from './handles.js';

/** A file that is open, or was before the tab released it. */
export interface Opened {
  readonly number: number;
  handle: SyncAccessHandle | undefined;
  users: number;

  /** Set while the handle is being opened. */
  opening?: Promise<void> | undefined;

  /** In bytes. Valid only while this tab holds the files. Undefined: not known. */
  size: number | undefined;
}

export class OpfsFile implements OpenFile {
  readonly #opened: Opened;
  readonly #release: () => Promise<void>;

  constructor(opened: Opened, release: () => Promise<void>) {
    this.#opened = opened;
    this.#release = release;
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    return this.#handle.read(into, { at: position });
  }

  async write(bytes: Uint8Array, position: number): Promise<number> {
    const handle = this.#handle;
    this.#opened.size = undefined;
    const count = handle.write(bytes, { at: position });
    // At the quota, private windows of Chromium store less than they say.
    const size = handle.getSize();
    if (count < bytes.length || size < position + count) throw noRoom();
    this.#opened.size = size;
    return count;
  }

  async sync(): Promise<void> {
    this.#handle.flush();
  }

  async truncate(size: number): Promise<void> {
    this.#opened.size = undefined;
    this.#handle.truncate(size);
  }

  async size(): Promise<number> {
    return this.#handle.getSize();
  }

  close(): Promise<void> {
    return this.#release();
  }

  get #handle(): SyncAccessHandle {
    const { handle } = this.#opened;
    if (!handle) throw new Error('The file was replaced, or is in use by another tab.');
    return handle;
  }
}

const noRoom = () => new DOMException('There is no room for the file.', 'QuotaExceededError');
