/**
 * What an account behind the REST API cannot do, for people. It is loaded with the first such
 * table.
 *
 * @module
 */

/** For people, where something is missing. */
export const REMOTE_LIMITS =
  'The service of this account has no order, no sums, no counts and no live changes. ' +
  'Entities are shown by their keys, as they were when they were read.';

/** What to do instead. It names the button `copy-table`. */
export const REMOTE_REMEDY = 'To sort, search and chart them, choose “Sort and chart a copy”.';

/** The limits, and what helps. */
export const WHOLE_LIMITS = `${REMOTE_LIMITS} ${REMOTE_REMEDY}`;
