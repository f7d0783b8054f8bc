/**
 * How the memory of a module is divided, if it is limited.
 *
 * @module
 */

/**
 * The least that works: a large request, a large answer and the pages for both take about as much.
 */
export const MIN_MEMORY_BYTES = 64 * 2 ** 20;

// As much as a few hundred thousand small entities.
const DEFAULT_CACHE_BYTES = 64 * 2 ** 20;

// Beyond so many bytes of waiting requests in the core, further requests wait outside.
const MAX_WAITING_BYTES = 16 * 2 ** 20;

/** The default for pages. */
export const cacheBytesFor = (maxMemoryBytes: number): number =>
  Math.min(DEFAULT_CACHE_BYTES, Math.floor(maxMemoryBytes / 4));

/**
 * The limit for requests that wait in the core. The core needs several times as much to do them.
 */
export const waitingBytesFor = (maxMemoryBytes: number): number =>
  Math.min(MAX_WAITING_BYTES, Math.floor(maxMemoryBytes / 16));
