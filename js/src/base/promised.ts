/**
 * Results that may be there at once.
 *
 * @module
 */

/** Whether it is a promise: a library may have replaced the class. */
export function isPromise<T>(result: T | Promise<T>): result is Promise<T> {
  return typeof (result as { then?: unknown }).then === 'function';
}

/** A promise of what `work` returns. It is rejected if `work` throws. */
export function promised<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}
