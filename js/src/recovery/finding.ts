/**
 * What a survey says of a store; the grammar is in `docs/internals/frames.md`.
 *
 * @module
 */

import type { StorageKey } from '../storage/page-storage.js';

/** A place in the order of entities. */
export interface EntityPlace {
  /** `Tables` for the list of tables itself; `#` and a number for a table whose name is lost. */
  readonly table: string;
  readonly partitionKey: string;
  readonly rowKey: string;
}

/** What is wrong with one value of a store. */
export interface Finding {
  readonly key: StorageKey;

  /** `page`, if nobody can tell any more which of the two it was. */
  readonly kind: 'checkpoint' | 'record' | 'manifest' | 'directory page' | 'leaf page' | 'page';

  /**
   * - `missing`: nothing is there.
   * - `damaged`: cut short, or other bytes than were written.
   * - `newer`: written by a newer version of this package.
   * - `misplaced`: whole, but not what should stand there, or out of order.
   * - `twice`: a page that stands in two places.
   */
  readonly flaw: 'missing' | 'damaged' | 'newer' | 'misplaced' | 'twice';

  /** For people. */
  readonly message: string;

  /** Of a page: no entity of it comes before this one. Left out where nobody can tell. */
  readonly from?: EntityPlace;

  /** Of a page: no entity of it comes behind this one. */
  readonly to?: EntityPlace;

  /**
   * Whether entities are lost with it: those between `from` and `to`, or any, may be missing, may
   * be as they were earlier, or be there though they were deleted. All others are certain.
   */
  readonly lossy: boolean;
}
