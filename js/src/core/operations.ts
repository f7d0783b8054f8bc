/**
 * Makes requests of operations, for every kind of session.
 *
 * @module
 */

import type { AbortSignalLike } from '../base/platform.js';
import { promised } from '../base/promised.js';
import {
  bytesOf,
  operationFrame,
  readAnswer,
  type Answer,
  type Operation,
  type ReadBody,
} from './frames.js';
import { isRead } from './reads.js';
import type { Submission } from './submission.js';

/** The operations of one session. */
export class Operations {
  readonly #submit: (submission: Submission<Answer>) => Answer | Promise<Answer>;
  readonly #onWarnings: ((json: string) => void) | undefined;

  // Others may have written while the page slept: reads are fresh until one of them has ended.
  #mustRefresh = false;

  /** @param onWarnings - takes a JSON array of what was stored, and yet the service may refuse. */
  constructor(
    submit: (submission: Submission<Answer>) => Answer | Promise<Answer>,
    onWarnings: ((json: string) => void) | undefined,
  ) {
    this.#submit = submit;
    this.#onWarnings = onWarnings;
  }

  /** The page slept. */
  refreshNext(): void {
    this.#mustRefresh = true;
  }

  /** See `AccountSession.request()`. */
  request(operation: Operation, signal?: AbortSignalLike, readBody?: ReadBody): Promise<Answer> {
    return promised(() => this.answer(operation, signal, readBody));
  }

  /** See `AccountSession.answer()`. */
  answer(
    operation: Operation,
    signal?: AbortSignalLike,
    readBody?: ReadBody,
  ): Answer | Promise<Answer> {
    const mustRefresh = this.#mustRefresh;
    if (mustRefresh) operation = { ...operation, fresh: true };
    return this.#submit({
      frame: () => operationFrame(operation),
      read: (frame) => {
        if (mustRefresh) this.#mustRefresh = false;
        return this.#withWarnings(readAnswer(frame, readBody));
      },
      bytes: operation.kind === 'awaitChanges' ? 0 : bytesOf(operation),
      isWrite: !isRead(operation.kind),
      isFresh: operation.fresh,
      signal,
    });
  }

  // The write is stored, even if the callback throws.
  #withWarnings(answer: Answer): Answer {
    const { warnings } = answer;
    if (warnings) queueMicrotask(() => this.#onWarnings?.(warnings));
    return answer;
  }
}
