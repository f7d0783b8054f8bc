/**
 * The memory limits that JavaScript keeps. `EngineOptions::FitIntoMemory()` derives those of the
 * engine.
 *
 * @module
 */

/** The least memory that a module works with: `EngineOptions::kLeastMemoryBytes`. */
export const MIN_MEMORY_BYTES = 64 * 2 ** 20;

// Beyond so many bytes of waiting requests in the core, further requests wait outside.
const MAX_WAITING_BYTES = 16 * 2 ** 20;

/**
 * The limit for requests that wait in the core. The core needs several times as much to do them.
 */
export const waitingBytesFor = (maxMemoryBytes: number): number =>
  Math.min(MAX_WAITING_BYTES, Math.floor(maxMemoryBytes / 16));
