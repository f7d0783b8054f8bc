/**
 * Watches the storage of an account that is served: whether it works, and why not.
 *
 * The errors of a storage may have paths and addresses of the server. They are for its log. Clients
 * get the text that the service has for the code.
 *
 * @module
 */

import type { ErrorCode } from '../../base/error-codes.js';
import { storageError, TableError } from '../../base/errors.js';
import type { Batch, CommitResult, PageStorage } from '../../storage/page-storage.js';
import { failureText } from '../failure-text.js';
import { observedStorage } from './observed-storage.js';

// As in `core/include/entitable/error.h`.
const TEXTS: Partial<Record<ErrorCode, string>> = {
  StorageDamaged: 'A stored value is damaged.',
  StorageEvicted: 'The store was deleted, or replaced by another, while it was open.',
  StorageUnavailable: 'The storage did not do what was asked of it.',
  StorageVersionNewer: 'The store was written by a newer version.',
};

/** A storage with a watch. */
export class WatchedStorage {
  /** For the account. */
  readonly storage: PageStorage;
  readonly #account: string;
  readonly #warn: (line: string) => void;
  #isServing = false;

  // Why the last write was not stored. A read that works says nothing about writes.
  #whyNotWritten: string | undefined;
  #isFull = false;
  #failsToRead = false;
  // The last error that was told.
  #why = '';
  #isLost = false;

  // Whether the store was seen. It is created by the first request.
  #isThere = false;
  #probe: Promise<boolean> | undefined;

  constructor(given: PageStorage, account: string, warn: (line: string) => void) {
    this.#account = account;
    this.#warn = warn;
    this.storage = observedStorage(given, {
      reading: (reading) => this.#reading(reading),
      committed: (result, batch) => this.#committed(result, batch),
    });
  }

  /** The account is open. Before, its errors are for the person who starts the server. */
  begin(): void {
    this.#isServing = true;
  }

  /** Notes that the account has found its store deleted or replaced. */
  lose(why = TEXTS.StorageEvicted!): void {
    if (!this.#isLost) this.#tell(`requests fail until the server is started again: ${why}`);
    this.#isLost = true;
  }

  /**
   * Whether requests can be answered. While they fail, it answers at once, and tries the storage
   * again for the next question.
   */
  async isGood(): Promise<boolean> {
    this.#probe ??= this.#isReadable().finally(() => (this.#probe = undefined));
    return !this.#isLost && !this.#failsToRead && (await this.#probe);
  }

  /** Whether the last write was stored, as far as the storage decides that. */
  get takesWrites(): boolean {
    return this.#whyNotWritten === undefined;
  }

  async #isReadable(): Promise<boolean> {
    const { values } = await this.storage
      .read({ keys: ['log/base'] })
      .catch(() => ({ values: [] }));
    if (values[0]) this.#isThere = true;
    else if (this.#isThere && values.length > 0) this.lose();
    return values.length > 0 && !this.#isLost;
  }

  async #reading<T>(reading: Promise<T>): Promise<T> {
    try {
      const value = await reading;
      if (this.#failsToRead) this.#endReading();
      return value;
    } catch (cause) {
      if (!this.#isServing) throw cause;
      throw this.#failed(storageError(cause));
    }
  }

  #failed(error: TableError): TableError {
    const { code } = error;
    const why = failureText(error);
    if (code === 'StorageEvicted') this.lose(why);
    else if (code === 'StorageUnavailable') this.#beginReading(why);
    else if (this.#why !== why) this.#tell((this.#why = why));
    const { storageKey } = error.details;
    return new TableError(code, TEXTS[code] ?? code, { cause: error, storageKey });
  }

  #committed({ outcome, cause }: CommitResult, { frees }: Batch): void {
    // A full storage still takes what makes room.
    if (outcome === 'ok' && !(this.#isFull && frees)) this.#end();
    const isFull = outcome === 'quota';
    if (!(isFull || outcome === 'refused') || !this.#isServing) return;
    const what = isFull ? 'The storage has no room.' : 'The storage cannot be written to.';
    const error = cause === undefined ? undefined : storageError(cause, what);
    const why = error ? failureText(error) : what;
    if (error?.code === 'StorageEvicted') return this.lose(why);
    const isTold = this.#failsToRead || !this.takesWrites;
    this.#whyNotWritten = why;
    this.#isFull ||= isFull;
    if (!isTold) this.#tell(`writes fail: ${(this.#why = why)}`);
  }

  #beginReading(why: string): void {
    const isTold = this.#failsToRead || this.#why === why;
    this.#failsToRead = true;
    if (!isTold) this.#tell(`requests fail: ${(this.#why = why)}`);
  }

  #endReading(): void {
    if (this.takesWrites) return this.#end();
    this.#failsToRead = false;
    const isTold = this.#why === this.#whyNotWritten;
    this.#why = this.#whyNotWritten!;
    if (!isTold) this.#tell(`reads are answered again, and writes fail: ${this.#why}`);
  }

  #end(): void {
    if (this.takesWrites && !this.#failsToRead) return;
    this.#whyNotWritten = undefined;
    this.#isFull = this.#failsToRead = false;
    this.#why = '';
    this.#tell('requests are answered again');
  }

  #tell(what: string): void {
    this.#warn(`account ${this.#account}: ${what}`);
  }
}
