/**
 * Failures of requests that are sent to several accounts.
 *
 * @module
 */

import { TableError } from '../../base/errors.js';

/** The error of a write whose answer did not come. */
export const outcomeUnknown = (cause: unknown): TableError =>
  new TableError('StorageOutcomeUnknown', 'The storage did not say whether it stored the change.', {
    cause,
  });
