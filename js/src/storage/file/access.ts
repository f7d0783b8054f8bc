/**
 * The right to change the files of a store, which one tab or process has at a time.
 *
 * @module
 */

/** Ends a hold; may be called again. */
export type Release = () => void;

/** The way in which this tab or process shares the files of one store with others. */
export interface Access {
  /** True if others may change the files whenever this one does not hold them. */
  readonly isShared: boolean;

  /** True if open files can be read without a hold. */
  readonly readsWithoutHold: boolean;

  /** True while no other tab can change the files. That may last longer than the holds. */
  readonly isHeld: boolean;

  /** Counts how often this one got the files: others may have changed them in between. */
  readonly turn: number;

  /**
   * Resolves when no other tab can change the files, until the release of the last hold. Do not
   * wait for a hold within another one, unless it `joins`: then it does not wait until other tabs
   * had their turn.
   *
   * @throws {@link TableError} `StorageUnavailable`, if another tab keeps the files.
   */
  hold(options?: { readonly joins?: boolean }): Promise<Release>;

  /** True if a living tab is writing the file of that name, which will replace the store. */
  isRewriting(name: string): Promise<boolean>;

  /** Waits for all holds to end, and gives the files to others. `hold()` may be called again. */
  close(): Promise<void>;
}

/** Does work while no other tab can change the files. */
export async function holding<T>(
  access: Access,
  work: () => Promise<T>,
  options?: { readonly joins?: boolean },
): Promise<T> {
  const release = await access.hold(options);
  try {
    return await work();
  } finally {
    release();
  }
}

/** The access to files that a lock keeps for one process. */
export const soleAccess: Access = {
  isShared: false,
  readsWithoutHold: true,
  isHeld: true,
  turn: 0,
  hold: async () => () => undefined,
  isRewriting: async () => false,
  close: async () => undefined,
};
