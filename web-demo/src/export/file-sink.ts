/**
 * A file that is written in pieces: directly where the browser can, else when all are there.
 *
 * @module
 */

import { save } from '../ui/download.js';

export interface FileSink {
  write(text: string): Promise<void>;
  /** The file is complete. */
  finish(): Promise<void>;
  /** Nothing of it stays. */
  discard(): Promise<void>;
}

// Not all browsers have it.
type Picker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/**
 * Opens a file. With File System Access, the user chooses the place, and only pieces are in memory.
 *
 * @returns undefined, if the user chooses no place.
 */
export async function openFile(name: string, type: string): Promise<FileSink | undefined> {
  const { showSaveFilePicker: pick } = globalThis as { showSaveFilePicker?: Picker };
  if (!pick) return inPieces(name, type);
  try {
    const file = await pick({ suggestedName: name });
    return await onDisk(file);
  } catch (error) {
    if ((error as Error).name === 'AbortError') return undefined;
    throw error;
  }
}

// What is written appears in the file when it is closed.
async function onDisk(file: FileSystemFileHandle): Promise<FileSink> {
  const stream = await file.createWritable();
  return {
    write: (text) => stream.write(text),
    finish: () => stream.close(),
    discard: () => stream.abort(),
  };
}

// A browser may keep the pieces of a blob on disk.
function inPieces(name: string, type: string): FileSink {
  let pieces: Blob[] = [];
  return {
    write(text) {
      pieces.push(new Blob([text]));
      return Promise.resolve();
    },
    finish() {
      save(new Blob(pieces, { type }), name);
      return Promise.resolve();
    },
    discard() {
      pieces = [];
      return Promise.resolve();
    },
  };
}
