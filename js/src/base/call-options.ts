/**
 * Options that every call takes, and every read.
 *
 * @module
 */

import type { AbortSignalLike } from './platform.js';

/** What every call takes. */
export interface OperationOptions {
  /**
   * Rejects the call with the reason of the signal, as `fetch()` does: a DOMException named
   * `AbortError`, unless another one was given. A write that was already begun may come true all the
   * same.
   */
  abortSignal?: AbortSignalLike | undefined;

  /** An option of the official client. Taken, and without effect: there is no HTTP request. */
  requestOptions?: unknown;

  /** An option of the official client. Taken, and without effect. */
  tracingOptions?: unknown;

  /** An option of the official client. Taken, and without effect. */
  serializerOptions?: unknown;

  /** An option of the official client. Taken, and never called: there is no HTTP response. */
  onResponse?: unknown;
}

/** Options of every read. */
export interface ReadOptions extends OperationOptions {
  /**
   * Looks first for what others have written, in another tab for one: the read then sees every
   * write whose promise was resolved before the call, of every account. Without it, the newest
   * state that this account knows of: all its own writes, and what it has read of others'. Beyond
   * the service; costs one small read of the storage.
   */
  fresh?: boolean | undefined;
}
