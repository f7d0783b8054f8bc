/**
 * What a session takes: a request in any form.
 *
 * @module
 */

import type { AbortSignalLike } from '../base/platform.js';
import type { RequestFrame } from './frames.js';

/** A request in any form. */
export interface Submission<T> {
  /** May throw; then the request is rejected with the error. */
  readonly frame: () => RequestFrame;
  /** Reads the frame of its answer, which is no longer there afterwards. */
  readonly read: (frame: Uint8Array) => T;
  /** About how many bytes it takes in the engine; 0, if it only waits for the next change. */
  readonly bytes: number;
  /** Whether it may change anything. */
  readonly isWrite: boolean;
  /** Whether the first part of a module is enough for it. */
  readonly isOfFirstScreen?: boolean | undefined;
  /** Whether it must see every write that was acknowledged before it. */
  readonly isFresh?: boolean | undefined;
  /** Whether it is refused with `ServerBusy` where others wait, and does not wait itself. */
  readonly isImpatient?: boolean | undefined;
  readonly signal?: AbortSignalLike | undefined;
}
