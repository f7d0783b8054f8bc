/**
 * Asks IndexedDB to open or delete a database, by another way where the straight one is broken.
 *
 * When the process behind its databases dies, WebKit closes every connection of a document
 * ("Connection to Indexed Database server lost") and opens none for it until it is loaded anew.
 * A document that is made after that is well: seen in WebKitGTK 2.50.
 *
 * @module
 */

import { TableError } from '../../base/errors.js';

// A frame whose IndexedDB works where that of the page does not; one for all of the page.
let frame: HTMLIFrameElement | undefined;

/**
 * Returns what the request comes to.
 *
 * If that takes longer than `after` milliseconds, because another tab, say, holds on to the database,
 * `tell` is called once, and the request waits on.
 *
 * @throws {@link TableError} `StorageUnavailable`, with the cause. A worker has no documents, and
 * so no other way.
 */
export async function askFactory<T>(
  ask: (factory: IDBFactory) => IDBRequest<T>,
  { after, tell }: { readonly after: number; readonly tell: () => void },
): Promise<T> {
  const silence = setTimeout(tell, after);
  try {
    return await byAnyWay(ask);
  } catch (cause) {
    const message =
      'IndexedDB cannot be used here. Servers have none, and browsers may deny it in private windows ' +
      'and sandboxed frames.';
    throw new TableError('StorageUnavailable', message, { cause });
  } finally {
    clearTimeout(silence);
  }
}

async function byAnyWay<T>(ask: (factory: IDBFactory) => IDBRequest<T>): Promise<T> {
  try {
    // Not to be in reach at all is a ReferenceError, to be denied a SecurityError.
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
  // Not into the body, which belongs to the application.
  return document.documentElement.appendChild(made);
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
}
