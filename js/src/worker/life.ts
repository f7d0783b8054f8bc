/**
 * Notices that the thread at the other end of a port has ended: a tab was closed, or a worker was
 * terminated or has crashed.
 *
 * Each end holds a Web Lock for as long as it lives, and waits for the lock of the other end. Where
 * pages have no Web Locks (without HTTPS), the `close` event of the port has to do.
 *
 * @module
 */

/**
 * Holds a lock.
 *
 * @returns a function that releases it, once the lock is held.
 */
export async function holdLock(name: string): Promise<() => void> {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { locks } = globalThis.navigator ?? {};
  if (!locks) return release;
  await new Promise<void>((held) => {
    const request = locks.request(name, () => {
      held();
      return released;
    });
    // A document without an origin may use none.
    request.catch(() => held());
  });
  return release;
}

/**
 * Calls back once when the other end has ended.
 *
 * @param lock - the lock that the other end holds.
 * @returns a function that stops that.
 */
export function whenEnded(port: MessagePort, lock: string, ended: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const end = () => {
    if (signal.aborted) return;
    stop.abort();
    ended();
  };
  port.addEventListener('close', end);
  // It rejects when the wait is stopped.
  globalThis.navigator?.locks?.request(lock, { signal }, end).catch(() => undefined);
  return () => {
    port.removeEventListener('close', end);
    stop.abort();
  };
}
