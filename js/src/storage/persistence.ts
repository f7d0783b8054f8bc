/**
 * How much room the origin has in the browser, and whether the browser may take it back.
 *
 * @module
 */

/** What `storageStatus()` finds out. Sizes are in bytes, of all that the origin keeps. */
export interface StorageReport {
  /** About how much is used; undefined where the browser does not tell. */
  readonly usage: number | undefined;

  /** How much may be used at most; undefined where the browser does not tell. */
  readonly quota: number | undefined;

  /** False: the browser may delete it all when the disk gets full. */
  readonly isPersistent: boolean;
}

/**
 * Says how much room there is. Outside of a browser, nothing is known.
 *
 * @example
 * ```ts
 * const { usage, quota } = await storageStatus();
 * ```
 */
export async function storageStatus(): Promise<StorageReport> {
  const storage = storageManager();
  const { usage, quota } = (await storage?.estimate?.()) ?? {};
  return { usage, quota, isPersistent: (await storage?.persisted?.()) ?? false };
}

/**
 * Asks the browser to keep what the origin stores until the user deletes it. Some browsers ask
 * the user, others decide by how much the site is used.
 *
 * @returns whether it is kept.
 */
export async function persistStorage(): Promise<boolean> {
  return (await storageManager()?.persist?.()) ?? false;
}

// Absent on servers and on pages that did not come over HTTPS, in part absent in workers.
function storageManager(): Partial<StorageManager> | undefined {
  return globalThis.navigator?.storage;
}
