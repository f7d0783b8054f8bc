/**
 * Options of every call, and of every read.
 *
 * @module
 */

import type { AbortSignalLike } from './platform.js';

/** Options of every call. */
export interface OperationOptions {
  /**
   * Rejects the call with the reason of the signal, as `fetch()` does: a DOMException named
   * `AbortError`, unless the signal has another reason. A write that was already begun may still be
   * stored.
   */
  abortSignal?: AbortSignalLike | undefined;

  /** An option of the official client. Accepted without effect: there is no HTTP request. */
  requestOptions?: unknown;

  /** An option of the official client. Accepted without effect. */
  tracingOptions?: unknown;

  /** An option of the official client. Accepted without effect. */
  serializerOptions?: unknown;

  /** An option of the official client. Accepted, but never called: there is no HTTP response. */
  onResponse?: unknown;
}

/** Options of every read. */
export interface ReadOptions extends OperationOptions {
  /**
   * Refreshes first: the read then sees every write of every account, in any tab, whose promise was
   * resolved before the call. Without it, the read sees the newest state that this account knows:
   * all its own writes, and the writes of others that it has read. Beyond the service. It costs one
   * small read of the storage.
   */
  fresh?: boolean | undefined;
}
