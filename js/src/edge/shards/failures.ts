/**
 * Failures of requests that are sent to several accounts.
 *
 * @module
 */

import { ERROR_CODES, type ErrorCode } from '../../base/error-codes.js';
import { serverBusy, TableError } from '../../base/errors.js';

/** The error of a write whose answer did not come. */
export const outcomeUnknown = (cause: unknown): TableError =>
  new TableError('StorageOutcomeUnknown', 'The storage did not say whether it stored the change.', {
    cause,
  });

/** The error that a shard has answered with; `ServerBusy`, if it is not known here. */
export async function failureOf(answer: Response): Promise<TableError> {
  const { status } = answer;
  const text = await answer.text();
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  if (code === undefined || !Object.hasOwn(ERROR_CODES, code)) {
    console.error(`Entitable: a shard has answered ${status}.`, text.slice(0, 1000));
    return serverBusy();
  }
  const message = /"value":"([^"\\]*)/.exec(text)?.[1] ?? '';
  return new TableError(code as ErrorCode, message);
}
