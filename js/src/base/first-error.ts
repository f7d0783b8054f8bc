/**
 * The first `error` event of a worker: its script cannot be loaded, or has thrown.
 *
 * @module
 */

/** Never rejects. A port has no such event. */
export function firstErrorOf(worker: object): Promise<Event> {
  return new Promise((resolve) => {
    const { addEventListener } = worker as Partial<EventTarget>;
    addEventListener?.call(worker, 'error', resolve, { once: true });
  });
}
