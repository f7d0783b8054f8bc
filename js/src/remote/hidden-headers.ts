/**
 * Headers that a page cannot read, because the CORS rules of the account do not expose them. Their
 * loss would not be noticed: without its continuation, the first page looks like the last.
 *
 * @module
 */

import { TableError } from '../base/errors.js';

/** The error of a header that cannot be read, though every service sends it. */
export function hiddenHeader(name: string, isWrite: boolean): TableError {
  const done = isWrite ? 'The write has taken effect. ' : '';
  return new TableError('HeadersHidden', `This page cannot read the header ${name}.`, {
    statusCode: 0,
    sentence:
      `${done}Add a CORS rule to the account with these exposed headers: ` +
      'Date,ETag,Retry-After,x-ms-continuation-*,x-ms-request-id.',
  });
}

/** Finds out, once for an account, whether continuations can be read. */
export class ContinuationCheck {
  #isSure = false;

  get isSure(): boolean {
    return this.#isSure;
  }

  /**
   * Checks a page. Without a continuation, small queries show whether that could be read.
   *
   * @param isContinued - whether the page has a continuation.
   * @param isOneContinued - asks for one result. Returns whether it has a continuation.
   * @param areTwo - returns whether there is a second result.
   * @throws {@link TableError} `HeadersHidden`; what the functions throw.
   */
  async confirm(
    isContinued: boolean,
    isOneContinued: () => Promise<boolean>,
    areTwo: () => Promise<boolean> | boolean,
  ): Promise<void> {
    this.#isSure ||= isContinued || (await isOneContinued());
    // The first of two was not the last.
    if (!this.#isSure && (await areTwo())) throw hiddenHeader('x-ms-continuation-*', false);
  }
}
