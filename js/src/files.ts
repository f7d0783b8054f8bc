/**
 * The files of the package, for service workers that keep an application available offline and for
 * build scripts that copy files. It is of use where the package is served as it is: a bundler
 * gives files other names.
 *
 * @module
 */

import files from '#files';

/** What a program imports, without the entries that need Node: `entitable/http`, say. */
export type EntryName =
  | 'entitable'
  | 'entitable/archive'
  | 'entitable/http'
  | 'entitable/inline'
  | 'entitable/recovery'
  | 'entitable/recovery/inline'
  | 'entitable/service-worker'
  | 'entitable/storage/indexeddb'
  | 'entitable/storage/memory'
  | 'entitable/storage/persistence';

/**
 * Returns the address of every file that these entries load, at once or later: scripts and
 * WebAssembly modules. Each address comes once.
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
    if (!list) throw new RangeError(`"${entry}" is no entry of the package.`);
    return list;
  });
  return [...new Set(names)].map((name) => new URL(name, folder).href);
}
