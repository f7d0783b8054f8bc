/**
 * Work on several items at the same time.
 *
 * @module
 */

/**
 * Does work for each item, in their order, for so many items at once. After a failure, it begins no
 * further item, and waits for those that it has begun.
 *
 * @throws the first error of `work`.
 */
export async function forEachAtOnce<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const failures: unknown[] = [];
  const workOn = async () => {
    for (const item of rest) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: limit }, workOn));
  if (failures.length > 0) throw failures[0];
}
