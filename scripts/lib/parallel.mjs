// parallel.mjs - as much work at once as this machine has processors.

import { availableParallelism } from 'node:os';

/** Does `work` with each item, in their order.  After a failure no other item is begun. */
export async function forEach(items, work) {
  const waiting = [...items];
  const worker = async () => {
    while (waiting.length > 0) {
      try {
        await work(waiting.shift());
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}
