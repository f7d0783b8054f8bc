/**
 * The findings of `verify` and `repair`. The grammar is in `docs/internals/frames.md`.
 *
 * @module
 */

import type { StorageKey } from '../storage/page-storage.js';

/** A place in the order of entities. */
export interface EntityPlace {
  /** `Tables` for the list of tables; `#` and a number for a table whose name is lost. */
  readonly table: string;
  readonly partitionKey: string;
  readonly rowKey: string;
}

/** A fault in one value of a store. */
export interface Finding {
  readonly key: StorageKey;

  /**
   * `page`, if the page cannot be read, so its kind is unknown. `index`, if all values are intact,
   * but the entries of an index are not those of the entities. `file`, if the file of a folder
   * cannot be read as a whole; the other findings are about what is intact of it. The key of both
   * is that of the manifest.
   */
  readonly kind:
    | 'checkpoint'
    | 'record'
    | 'manifest'
    | 'directory page'
    | 'leaf page'
    | 'page'
    | 'index'
    | 'file';

  /**
   * - `missing`: the value is not there; or entries of the index are missing.
   * - `damaged`: it is cut short, or has other bytes than were written.
   * - `newer`: a newer version of this package wrote it.
   * - `misplaced`: it is intact, but belongs to another place, or is out of order; or the index has
   *   entries that belong to no entity.
   * - `twice`: two places refer to the same page.
   */
  readonly flaw: 'missing' | 'damaged' | 'newer' | 'misplaced' | 'twice';

  /** A sentence for people. */
  readonly message: string;

  /** Of a page: no entity of it comes before this one. Missing if it is not known. */
  readonly from?: EntityPlace;

  /** Of a page: no entity of it comes after this one. Missing if it is not known. */
  readonly to?: EntityPlace;

  /**
   * Whether entities are lost with the value. Entities between `from` and `to`, or any entities,
   * may then be missing, be older than they were, or be there though they were deleted. All others
   * are certain.
   */
  readonly lossy: boolean;
}
