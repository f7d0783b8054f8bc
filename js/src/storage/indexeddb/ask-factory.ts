/**
 * Opens or deletes a database, with a workaround for a broken IndexedDB.
 *
 * When the process of its databases dies, WebKit closes every connection of a document ("Connection
 * to Indexed Database server lost"), and opens no new one until the document is reloaded. A
 * document that is created after that works: seen in WebKitGTK 2.50.
 *
 * @module
 */

import { TableError } from '../../base/errors.js';

// A frame whose IndexedDB works when that of the page does not. The page has at most one.
let frame: HTMLIFrameElement | undefined;

/**
 * Returns the result of the request.
 *
 * If that takes longer than `after` milliseconds, because another tab uses the database, say, it
 * calls `report` once and waits on.
 *
 * @throws {@link TableError} `StorageUnavailable`, with the cause. A worker has no documents, so it
 * has no workaround.
 */
export async function askFactory<T>(
  ask: (factory: IDBFactory) => IDBRequest<T>,
  { after, report }: { readonly after: number; readonly report: () => void },
): Promise<T> {
  const silence = setTimeout(report, after);
  try {
    return await askPageOrFrame(ask);
  } catch (cause) {
    const { name = 'Error', message = '' } = (cause ?? {}) as Partial<Error>;
    const sentence =
      name === 'VersionError'
        ? 'A database of this name has another version. Another library has made it, or a later version of Entitable. Choose another name.'
        : name === 'ReferenceError'
          ? 'Servers have none.'
          : 'Browsers may deny it in private windows and sandboxed frames.';
    const text = `IndexedDB cannot be used here: ${name}: ${message.replace(/\.?$/, '.')}`;
    throw new TableError('StorageUnavailable', text, { sentence, cause });
  } finally {
    clearTimeout(silence);
  }
}

// The IndexedDB of the page first. If the page has lost its databases, that of a frame.
async function askPageOrFrame<T>(ask: (factory: IDBFactory) => IDBRequest<T>): Promise<T> {
  try {
    // Without IndexedDB this is a ReferenceError, and a SecurityError if it is denied.
    return await resultOf(ask(indexedDB));
  } catch (cause) {
    const isLost = (cause as Error | null)?.name === 'UnknownError';
    if (!isLost || typeof document === 'undefined') throw cause;
  }
  const known = frame;
  if (known) {
    try {
      return await resultOf(ask(known.contentWindow!.indexedDB));
    } catch {
      known.remove();
      if (frame === known) frame = undefined;
    }
  }
  frame ??= freshFrame();
  return resultOf(ask(frame.contentWindow!.indexedDB));
}

function freshFrame(): HTMLIFrameElement {
  const made = document.createElement('iframe');
  made.hidden = true;
  // The body belongs to the app.
  return document.documentElement.appendChild(made);
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
}
