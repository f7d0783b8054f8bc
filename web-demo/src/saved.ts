/**
 * What the browser remembers for the user. It may refuse localStorage: then nothing outlasts the
 * page.
 *
 * @module
 */

const PREFIX = 'entitable-explorer/';

/** Returns what was written for a key, over the defaults. */
export function readSaved<T extends object>(key: string, defaults: T): T {
  try {
    const saved = JSON.parse(localStorage.getItem(PREFIX + key) ?? '{}') as Partial<T>;
    return { ...defaults, ...saved };
  } catch {
    return defaults;
  }
}

export function writeSaved(key: string, value: object): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // As in readSaved().
  }
}
