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

const MIB = 2 ** 20;

// What a browser that does not tell is taken to have.
const DESKTOP_BYTES = 6 * 2 ** 30;
const OTHER_BYTES = 2 * 2 ** 30;

// Cloudflare Workers have 128 MB for scripts, modules, and all objects that share a thread.
const WORKER_CACHE_BYTES = 16 * MIB;

/**
 * How many bytes of pages stay in memory, if the app does not say: a 32nd of the memory of the
 * device, at most 256 MiB, and at most a quarter of the memory of the module; 16 MiB in Cloudflare
 * Workers.
 */
export const defaultCacheBytes = (maxMemoryBytes: number): number =>
  Math.floor(
    Math.min(
      isCloudflare() ? WORKER_CACHE_BYTES : deviceBytes() / 32,
      256 * MIB,
      maxMemoryBytes / 4,
    ),
  );

const isCloudflare = () => globalThis.navigator?.userAgent === 'Cloudflare-Workers';

// Chromium rounds the memory, and tells it in GiB. Outside of browsers the memory of the machine
// says little: servers have other processes, and edge runtimes have a small share of it.
function deviceBytes(): number {
  const navigator: { deviceMemory?: number; userAgent?: string; maxTouchPoints?: number } =
    globalThis.navigator ?? {};
  const { deviceMemory, userAgent = '', maxTouchPoints = 0 } = navigator;
  if (deviceMemory) return deviceMemory * 2 ** 30;
  // An iPad says that it is a Mac. No Mac has a touch screen.
  const isTablet = maxTouchPoints > 1 && userAgent.includes('Mac');
  const isSmall = isTablet || /Mobi|Android/.test(userAgent);
  return userAgent.startsWith('Mozilla/') && !isSmall ? DESKTOP_BYTES : OTHER_BYTES;
}
