/**
 * An account that outlives its WebAssembly module: when that aborts, another one opens the account
 * from its storage.
 *
 * @module
 */

import type { TableError } from '../base/errors.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import type { RawTableHandler } from '../http.js';

/** What a {@link ServedAccount} needs from its server. */
export interface AccountHost {
  /** Opens the account, with a new module. */
  open(): Promise<TableServiceClient>;
  handlerFor(account: TableServiceClient): RawTableHandler;
  /** Is told that the account was opened again, and why. */
  onReopened(reason: TableError): void;
  /** Is told why it could not be opened again. */
  onLost(reason: unknown): void;
}

/** An account and what answers its requests. */
export class ServedAccount {
  readonly #host: AccountHost;
  #current: Promise<{ account: TableServiceClient; handler: RawTableHandler }>;
  #isClosing = false;

  /** @param account - which the host has opened. */
  constructor(account: TableServiceClient, host: AccountHost) {
    this.#host = host;
    this.#current = Promise.resolve(this.#watched(account));
  }

  /** Where the next request goes. Rejects if the account is lost. */
  async handler(): Promise<RawTableHandler> {
    return (await this.#current).handler;
  }

  /** Closes the account. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const { account } = await this.#current;
    await account.close();
  }

  #watched(account: TableServiceClient) {
    account.session.onAbort((reason) => this.#replace(account, reason));
    return { account, handler: this.#host.handlerFor(account) };
  }

  // Requests that come meanwhile wait for it.
  #replace(aborted: TableServiceClient, reason: TableError): void {
    if (this.#isClosing) return;
    this.#current = this.#openAgain(aborted);
    this.#current.then(
      () => this.#host.onReopened(reason),
      (error: unknown) => this.#host.onLost(error),
    );
  }

  // The storage is taken up before it is let go of, so that nobody else can have it.
  async #openAgain(aborted: TableServiceClient) {
    const account = await this.#host.open();
    // Its end has nothing to say about the new one.
    void aborted.close().catch(() => undefined);
    const tables = account.listTables().byPage({ maxPageSize: 1 });
    await tables.next();
    return this.#watched(account);
  }
}
