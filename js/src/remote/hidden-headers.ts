/**
 * Headers that a page cannot read, because the CORS rules of the account do not expose them. Their
 * loss would not be noticed: without its continuation, the first page looks like the last.
 *
 * @module
 */

import { TableError } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { Answer, Operation } from '../core/frames.js';
import { positionOf } from '../core/page-position.js';

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

type Read = (operation: Operation, signal: AbortSignalLike | undefined) => Promise<Answer>;

/** Finds out, once for an account, whether continuations can be read. */
export class ContinuationCheck {
  readonly #read: Read;
  #isSure = false;

  constructor(read: Read) {
    this.#read = read;
  }

  /**
   * Checks the answer to a query. If it has no continuation, two small queries show whether that
   * could be read.
   *
   * @throws {@link TableError} `HeadersHidden`.
   */
  async confirm(
    { kind, table }: Operation,
    answer: Answer,
    signal: AbortSignalLike | undefined,
  ): Promise<void> {
    const isEntities = kind === 'queryEntities';
    if (this.#isSure || (!isEntities && kind !== 'queryTables')) return;
    this.#isSure = positionOf(answer) !== undefined;
    if (this.#isSure) return;
    const select = isEntities ? 'PartitionKey' : undefined;
    const first = await this.#read({ kind, table, select, top: '1' }, signal);
    this.#isSure = positionOf(first) !== undefined;
    if (this.#isSure) return;
    const { body = '' } = await this.#read({ kind, table, select, top: '2' }, signal);
    const { value } = JSON.parse(body) as { value: unknown[] };
    // The first of two was not the last.
    if (value.length > 1) throw hiddenHeader('x-ms-continuation-*', false);
  }
}
