/**
 * The first `error` event of a worker: its script cannot be loaded, or has thrown.
 *
 * @module
 */

import { hasMethod } from './kinds.js';

/** Never rejects. A port has no such event. */
export function firstErrorOf(worker: object): Promise<Event> {
  return new Promise((resolve) => {
    if (!hasMethod(worker, 'addEventListener')) return;
    (worker as EventTarget).addEventListener('error', resolve, { once: true });
  });
}
