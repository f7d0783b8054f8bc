/**
 * An account that survives its WebAssembly module: after the module has aborted, another module
 * opens the account from its storage.
 *
 * @module
 */

import type { TableError } from '../../base/errors.js';
import type { TableServiceClient } from '../../client/table-service-client.js';
import type { RawTableHandler } from '../../http.js';

/** The parts of the server that a {@link ServedAccount} needs. */
export interface AccountHost {
  /** Opens the account, with a new module. */
  open(): Promise<TableServiceClient>;
  handlerFor(account: TableServiceClient): RawTableHandler;
  /** Called with the reason after the account was opened again. */
  onReopened(reason: TableError): void;
  /** Called with the reason if it cannot be opened again. */
  onLost(reason: unknown): void;
}

/** An account with its request handler. */
export class ServedAccount {
  readonly #host: AccountHost;
  #current: Promise<{ account: TableServiceClient; handler: RawTableHandler }>;
  #isClosing = false;

  // Whether the module has answered a request since the account was opened again. If not, opening
  // the account once more does not help.
  #hasAnswered = true;

  /** @param account - an account that the host has opened. */
  constructor(account: TableServiceClient, host: AccountHost) {
    this.#host = host;
    this.#current = Promise.resolve(this.#watched(account));
  }

  /** The handler of the next request. Rejects if the account is lost. */
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
    const handler = this.#host.handlerFor(account);
    const noted: RawTableHandler = async (request) => {
      const answer = await handler(request);
      this.#hasAnswered ||= answer.status < 500;
      return answer;
    };
    return { account, handler: noted };
  }

  // Requests wait until the account is open again.
  #replace(aborted: TableServiceClient, reason: TableError): void {
    if (this.#isClosing) return;
    this.#current = this.#openAgain(aborted, reason);
    this.#current.then(
      () => this.#host.onReopened(reason),
      (reason: unknown) => this.#host.onLost(reason),
    );
  }

  // The new account opens the storage before the old one closes it, so that no other process can
  // take it.
  async #openAgain(aborted: TableServiceClient, reason: TableError) {
    if (!this.#hasAnswered) throw lost(ABORTED_AGAIN, reason);
    this.#hasAnswered = false;
    try {
      const account = await this.#host.open();
      // An error of the old account says nothing about the new one.
      void aborted.close().catch(() => undefined);
      const tables = account.listTables().byPage({ maxPageSize: 1 });
      await tables.next();
      return this.#watched(account);
    } catch (cause) {
      throw lost(NOT_OPENED, cause);
    }
  }
}

const ABORTED_AGAIN =
  'The module has aborted again before it has answered a request. What was stored in a folder is ' +
  'still there.';
const NOT_OPENED = 'The account cannot be opened again after its module has aborted.';

const lost = (what: string, cause: unknown) =>
  new Error(`${what} It may need more memory (--max-memory)`, { cause });
