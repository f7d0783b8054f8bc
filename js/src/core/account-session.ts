/**
 * What the clients need of an opened account, wherever its engine runs: in this thread (`Session`)
 * or in a worker (`WorkerSession`).
 *
 * @module
 */

import type { TableError } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { StatusListener } from '../storage/page-storage.js';
import type { Answer, Operation, ReadBody } from './frames.js';
import type { Submission } from './submission.js';

/** One opened account. */
export interface AccountSession {
  /** The name of the account. */
  readonly account: string;

  /** The class of its storage. */
  readonly storageKind: string;

  /** Whether the engine runs in a worker. */
  readonly isInWorker: boolean;

  /** False as soon as every further request is refused. */
  readonly isOpen: boolean;

  /** A number for an import that no other import of this session has. */
  nextImport(): number;

  /**
   * Carries out an operation. The operations of one turn of the event loop go to the engine
   * together, so their writes share a commit. It waits if many bytes of requests wait already.
   *
   * @param signal - withdraws the request. If it was already begun, the promise is rejected all the
   * same, and the write may still be stored.
   * @param readBody - takes the body of the answer, which then has none.
   * @throws {@link TableError} under the code of the core, `AccountClosed` or `ModuleAborted`;
   * `StorageOutcomeUnknown`, if the module or the worker ended while the storage may have been
   * storing it; the reason of the signal, if it fired.
   */
  request(operation: Operation, signal?: AbortSignalLike, readBody?: ReadBody): Promise<Answer>;

  /**
   * The same, but returns the answer itself if it is there at once: a promise takes a tenth of the
   * time of a read. Throws where `request()` rejects.
   */
  answer(
    operation: Operation,
    signal?: AbortSignalLike,
    readBody?: ReadBody,
  ): Answer | Promise<Answer>;

  /** The same as `request()`, for a request in any form. */
  submit<T>(submission: Submission<T>): Promise<T>;

  /** In development: notes that a call without a limit has returned so many rows of a table. */
  noteList?: (table: string, count: number) => void;

  /** Calls a listener when the module aborts: every further request is refused. */
  onAbort(listener: (reason: TableError) => void): void;

  /**
   * Calls a listener when another account has committed, or may have. Hints may get lost.
   *
   * @returns a function that stops that.
   */
  onHint(listener: () => void): () => void;

  /** See `TableServiceClient.onStatus()`. */
  onStatus(listener: StatusListener): () => void;

  /**
   * Calls a function when `close()` is called, before requests are refused. Calls it at once if
   * `close()` was called already.
   *
   * @returns a function that removes the callback.
   */
  beforeClose(callback: () => void): () => void;

  /**
   * Waits for requests that were begun, rejects the others with `AccountClosed`, and frees the
   * engine. May be called again.
   *
   * @throws {@link TableError} `StorageUnavailable`, if the storage cannot be closed. The account
   * is closed nevertheless.
   */
  close(): Promise<void>;
}

/** Carries out operations one by one. */
export type Requester = Pick<AccountSession, 'request'>;
