/**
 * Parts of the page that are loaded with their first use.
 *
 * @module
 */

/** Loads a part once. After a failure, the next call tries again. */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let part: Promise<T> | undefined;
  return () => {
    part ??= load().catch((error: unknown) => {
      part = undefined;
      throw error;
    });
    return part;
  };
}
