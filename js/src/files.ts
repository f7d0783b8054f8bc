/**
 * The files of the package, for service workers that keep an app available offline and for build
 * scripts that copy files. It works if the package is served as it is: a bundler renames files.
 *
 * @module
 */

import files from '#files';

import type { EntryName } from './base/entry-name.js';

export type { EntryName };

/**
 * Returns the address of every file that these entries load, at once or later: scripts and
 * WebAssembly modules. Each address comes once. The script of development warnings is left out.
 *
 * @example
 * ```ts
 * const cache = await caches.open('app');
 * await cache.addAll(filesOf('entitable', 'entitable/storage/indexeddb'));
 * ```
 * @throws `RangeError`, if an entry has another name.
 */
export function filesOf(...entries: EntryName[]): string[] {
  const folder = import.meta.url;
  const names = entries.flatMap((entry) => {
    const list = files[entry];
    if (!list) throw new RangeError(`The package has no entry "${entry}".`);
    return list;
  });
  return [...new Set(names)].map((name) => new URL(name, folder).href);
}
