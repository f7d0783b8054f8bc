/**
 * Serves accounts in a worker: for the file of a worker that your app makes. A page opens them with
 * `openAccount({ storage, worker })`, where `worker` is the `Worker`, or the port of a
 * `SharedWorker`.
 *
 * @module
 */

import { invalidInput } from './base/errors.js';
import { checkedOptions } from './base/options.js';
import type { PageStorage } from './storage/page-storage.js';
import { AccountServer, refuseVersion } from './worker/account-server.js';
import { PROTOCOL, type Hello } from './worker/messages.js';

export type { PageStorage } from './storage/page-storage.js';

/** Options of {@link serveAccounts}. */
export interface ServeOptions {
  /**
   * The storage of accounts that a page opens without the option `storage`: an adapter of your own,
   * which cannot be sent to a worker.
   */
  readonly storage?: PageStorage | undefined;
}

/**
 * Serves accounts to the pages that this worker belongs to. Call it once, when the script of the
 * worker starts. Messages of your app are not affected: those of Entitable are objects with a
 * member `entitable`.
 *
 * @example
 * ```ts
 * // The whole file of a worker, after the import.
 * serveAccounts();
 * ```
 * @throws {@link TableError} `InvalidInput`, if an option is unknown, or this is not a worker.
 */
export function serveAccounts(options?: ServeOptions): void {
  const { storage } = checkedOptions('serveAccounts', options, { storage: 'any' });
  const serve = (event: Event) => {
    const hello = (event as MessageEvent<Partial<Hello> | undefined>).data;
    if (!hello?.entitable || !hello.port) return;
    if (hello.entitable === PROTOCOL) new AccountServer(hello.port, storage).begin();
    else refuseVersion(hello.port);
  };
  if (!('WorkerGlobalScope' in globalThis)) {
    throw invalidInput('serveAccounts works in the script of a Worker or of a SharedWorker.');
  }
  globalThis.addEventListener('message', serve);
  // Of a SharedWorker.
  globalThis.addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports;
    port?.addEventListener('message', serve);
    port?.start();
  });
}
