/**
 * The interfaces of the origin private file system ("File System" of WHATWG) that only dedicated
 * workers have, and whether they are there.
 *
 * @module
 */

import { TableError } from '../../base/errors.js';

/** An open file. All calls but its opening are synchronous. Positions and sizes are in bytes. */
export interface SyncAccessHandle {
  /** Chromium only. Other browsers know only exclusive handles. */
  readonly mode?: string;
  read(into: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  flush(): void;
  getSize(): number;
  truncate(size: number): void;
  close(): void;
}

interface SyncFileHandle extends FileSystemFileHandle {
  createSyncAccessHandle(options: { mode: 'readwrite-unsafe' }): Promise<SyncAccessHandle>;
}

// A tab that dies or closes its handle may take a moment to let go of the file.
const PAUSE_MS = 10;
const PATIENCE_MS = 10_000;

/**
 * Opens a file that exists, or an empty one if it `isMade`. Where the browser can, other tabs may
 * have it open at the same time. Otherwise this waits until they have closed it.
 */
export async function openHandle(
  folder: FileSystemDirectoryHandle,
  name: string,
  isMade = false,
): Promise<SyncAccessHandle> {
  const file = (await folder.getFileHandle(name, { create: isMade })) as SyncFileHandle;
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await file.createSyncAccessHandle({ mode: 'readwrite-unsafe' });
    } catch (cause) {
      if (!isLocked(cause) || performance.now() > end) throw cause;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** True if other tabs may open the file of this handle, too. */
export function isShareable({ mode }: SyncAccessHandle): boolean {
  return mode === 'readwrite-unsafe';
}

// WebKit reports an open file as an InvalidStateError.
function isLocked(cause: unknown): boolean {
  const { name } = (cause ?? {}) as Partial<Error>;
  return name === 'NoModificationAllowedError' || name === 'InvalidStateError';
}

/**
 * Checks that there is a file system, and that this is a dedicated worker.
 *
 * @throws {@link TableError} `StorageUnavailable`, which says what to do.
 */
export function requireOpfs(): void {
  const { navigator, FileSystemFileHandle: FileHandle } = globalThis as Partial<typeof globalThis>;
  if (!navigator?.storage?.getDirectory || !FileHandle || !navigator.locks) {
    throw unusable(
      'There is no origin private file system here.',
      'It needs a current browser and a page with HTTPS. Use indexedDbStorage() in other ' +
        'browsers, and fileStorage() in Node, Deno and Bun.',
    );
  }
  if (!('createSyncAccessHandle' in FileHandle.prototype)) {
    throw unusable(
      `opfsStorage() works only in a dedicated worker, and this is ${whereThisRuns()}.`,
      'Call openAccount() with worker: true (if you did, no worker can start), or open the account ' +
        'in a script that a page starts with new Worker(), or use indexedDbStorage() here.',
    );
  }
}

function unusable(text: string, sentence: string): TableError {
  return new TableError('StorageUnavailable', text, { sentence });
}

function whereThisRuns(): string {
  if (typeof document !== 'undefined') return 'a page';
  for (const [scope, words] of [
    ['SharedWorkerGlobalScope', 'a shared worker'],
    ['ServiceWorkerGlobalScope', 'a service worker'],
  ] as const) {
    if (scope in globalThis) return words;
  }
  return 'another kind of script, or an older browser';
}
