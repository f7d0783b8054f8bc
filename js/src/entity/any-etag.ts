/**
 * The condition of a write that any stored entity meets.
 *
 * @module
 */

/** Any etag: the write only needs the entity to exist. */
export const ANY_ETAG = '*';
