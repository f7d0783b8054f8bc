/**
 * How much room the origin has in the browser, and whether the browser may delete its data.
 *
 * @module
 */

/** The result of `storageStatus()`. Sizes are in bytes, of all data of the origin. */
export interface StorageReport {
  /** About how many bytes are used; undefined if the browser does not say. */
  readonly usage: number | undefined;

  /** How many bytes may be used; undefined if the browser does not say. */
  readonly quota: number | undefined;

  /** False: the browser may delete it all when the disk gets full. */
  readonly isPersistent: boolean;
}

/**
 * Reports how much room there is. Outside of a browser, the sizes are undefined.
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
 * Asks the browser to keep the data of the origin until the user deletes it. Some browsers ask the
 * user; others decide by how often the user visits the site.
 *
 * @returns whether the data is kept.
 */
export async function persistStorage(): Promise<boolean> {
  return (await storageManager()?.persist?.()) ?? false;
}

// Missing on servers and on pages without HTTPS; workers have only a part of it.
function storageManager(): Partial<StorageManager> | undefined {
  return globalThis.navigator?.storage;
}
