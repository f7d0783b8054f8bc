/**
 * Serves accounts in a worker: for the file of a worker that your app makes. A page opens them with
 * `openAccount({ storage, worker })`, where `worker` is the `Worker`, or the port of a
 * `SharedWorker`.
 *
 * @module
 */

import { invalidInput } from './base/errors.js';
import { checkedOptions } from './base/options.js';
import type { PortLike } from './base/platform.js';
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

  /**
   * One end of a `MessageChannel`: serves the page that has the other end as its option `worker`.
   * Without it, the pages that this worker belongs to are served.
   */
  readonly port?: PortLike | undefined;
}

const KINDS = { storage: 'any', port: 'port' } as const;

/**
 * Serves accounts to pages. Call it once, when the script of the worker starts; with `port`, once
 * for each port. Messages of your app are not affected: those of Entitable are objects with a
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
  const { storage, port } = checkedOptions('serveAccounts', options, KINDS);
  const serve = (event: Event) => {
    const hello = (event as MessageEvent<Partial<Hello> | undefined>).data;
    if (!hello?.entitable || !hello.port) return;
    if (hello.entitable === PROTOCOL) new AccountServer(hello.port, storage).begin();
    else refuseVersion(hello.port);
  };
  if (!('WorkerGlobalScope' in globalThis)) {
    throw invalidInput('serveAccounts works in the script of a Worker or of a SharedWorker.');
  }
  const listen = (end: MessagePort | undefined) => {
    end?.addEventListener('message', serve);
    end?.start();
  };
  if (port) return listen(port as MessagePort);
  globalThis.addEventListener('message', serve);
  // Of a SharedWorker.
  globalThis.addEventListener('connect', (event) => listen((event as MessageEvent).ports[0]));
}
