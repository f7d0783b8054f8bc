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
import { isOfFirstScreen } from './rest-gate.js';
import type { Submission } from './submission.js';

/** The operations of one session. */
export class Operations {
  readonly #submit: (submission: Submission<Answer>) => Answer | Promise<Answer>;
  readonly #onWarnings: ((json: string) => void) | undefined;

  // Set when others have written, or may have: requests are fresh until one that began later ends.
  #outdated: object | undefined;

  /** @param onWarnings - takes a JSON array of what was stored, and yet the service may refuse. */
  constructor(
    submit: (submission: Submission<Answer>) => Answer | Promise<Answer>,
    onWarnings: ((json: string) => void) | undefined,
  ) {
    this.#submit = submit;
    this.#onWarnings = onWarnings;
  }

  /** Others have written, or may have, because the page slept. */
  refreshNext(): void {
    this.#outdated = {};
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
    const outdated = this.#outdated;
    if (outdated) operation = { ...operation, fresh: true };
    return this.#submit({
      frame: () => operationFrame(operation),
      read: (frame) => {
        if (this.#outdated === outdated) this.#outdated = undefined;
        return this.#withWarnings(readAnswer(frame, readBody));
      },
      bytes: operation.kind === 'awaitChanges' ? 0 : bytesOf(operation),
      isWrite: !isRead(operation.kind),
      isOfFirstScreen: isOfFirstScreen(operation),
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
