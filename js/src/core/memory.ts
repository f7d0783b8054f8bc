/**
 * How the memory of a module is shared out, where it is limited.
 *
 * @module
 */

/** Less is no use: one large request, one large answer and the pages for both take about as much. */
export const MIN_MEMORY_BYTES = 64 * 2 ** 20;

// As much as a few hundred thousand small entities take.
const DEFAULT_CACHE_BYTES = 64 * 2 ** 20;

// While requests of so many bytes wait in the core, further ones wait outside.
const MAX_WAITING_BYTES = 16 * 2 ** 20;

/** What pages may take, if nothing else is said. */
export const cacheBytesFor = (maxMemoryBytes: number): number =>
  Math.min(DEFAULT_CACHE_BYTES, Math.floor(maxMemoryBytes / 4));

/** What requests may take that wait in the core; it needs several times as much to do them. */
export const waitingBytesFor = (maxMemoryBytes: number): number =>
  Math.min(MAX_WAITING_BYTES, Math.floor(maxMemoryBytes / 16));
