/**
 * A store in a folder of the disk, for Node, Deno and Bun.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { checkedOptions } from '../base/options.js';
import { shown } from '../base/shown.js';
import { nodeFileSystem } from './file/file-system.js';
import { processesHere } from './file/processes.js';
import { FileStores } from './file/stores.js';
import type { Durability, PageStorage } from './page-storage.js';

export { FileDamage, TornEnd } from './file/problems.js';

/** How {@link fileStorage} keeps values. */
export interface FileStorageOptions {
  /**
   * By default `strict`: a commit is on the disk when it is acknowledged, and survives the loss of
   * power. With `relaxed` it survives the death of the process. See `docs/concepts/durability.md`.
   */
  readonly durability?: Durability | undefined;

  /**
   * Is told what goes wrong without any call failing. A {@link TornEnd}: a crash had interrupted a
   * write, which was cut off. Anything else is why the file could not be written anew without what
   * is dead in it (no room, say; the store works on, and its file grows until a later attempt
   * succeeds), or could not be closed (the next opening treats it as after a crash).
   */
  readonly onProblem?: ((cause: unknown) => void) | undefined;
}

let stores: FileStores | undefined;

/**
 * Returns the store in that folder, which is made with it at the first use. Everybody in this
 * process who names the folder shares it; other processes are refused with
 * `StorageUnavailable` until all of them have closed it, or the process is gone.
 *
 * A use fails with `StorageDamaged` when the file is not what was written; its `cause` is a
 * {@link FileDamage}. Nothing is changed then.
 *
 * @param folder - absolute, or relative to where the process is at the first use. Not on a
 * file system that several machines write to.
 * @example
 * ```ts
 * const account = await openAccount({ storage: fileStorage('data') });
 * ```
 * @throws {@link TableError} `InvalidInput`, if the folder is no string, or an option is unknown.
 */
export function fileStorage(folder: string, options?: FileStorageOptions): PageStorage {
  if (typeof folder !== 'string') {
    throw invalidInput(`The folder of fileStorage must be a string, not ${shown(folder)}.`);
  }
  const kinds = { durability: ['relaxed', 'strict'], onProblem: 'function' } as const;
  stores ??= new FileStores({ fileSystem: nodeFileSystem, processes: processesHere() });
  const { durability = 'strict', onProblem } = checkedOptions('fileStorage', options, kinds);
  return stores.storageFor({ folder, durability, onProblem });
}
