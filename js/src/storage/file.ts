/**
 * A store in a folder on the disk, for Node, Deno and Bun.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { checkedOptions } from '../base/options.js';
import { shown } from '../base/shown.js';
import { nodeFileSystem } from './file/node/file-system.js';
import { processesHere } from './file/node/processes.js';
import { folderStores } from './file/node/stores.js';
import type { FileStores } from './file/stores.js';
import type { Durability, PageStorage } from './page-storage.js';

export { FileDamage, TornEnd } from './file/problems.js';

/** Options of {@link fileStorage}. */
export interface FileStorageOptions {
  /**
   * By default `strict`: a commit is on the disk when it is acknowledged, and survives the loss of
   * power. With `relaxed` it survives the death of the process. See `docs/concepts/durability.md`.
   */
  readonly durability?: Durability | undefined;

  /**
   * Called with problems that fail no call. A {@link TornEnd}: a crash interrupted a write, and its
   * bytes were cut off. Any other value is the reason why the file could not be rewritten without
   * dead bytes, or could not be closed. After a failed rewrite (no room, say), the store works on,
   * and the file grows until a later rewrite succeeds. After a failed close, the next opening
   * treats the file as after a crash.
   */
  readonly onProblem?: ((cause: unknown) => void) | undefined;
}

let stores: FileStores | undefined;

/**
 * Returns the store in a folder. Its first use creates both. All accounts of this process that name
 * the folder share the store. Other processes are refused with `StorageUnavailable` until all
 * accounts have closed it, or the process has ended.
 *
 * A use fails with `StorageDamaged` if the file is not as it was written; its `cause` is a
 * {@link FileDamage}. Then nothing is changed.
 *
 * @param folder - absolute, or relative to the working directory at the first use. It must not be
 * on a file system that several machines write to.
 * @example
 * ```ts
 * const account = await openAccount({ storage: fileStorage('data') });
 * ```
 * @throws {@link TableError} `InvalidInput`, if the folder is not a string or is empty, or an
 * option is unknown.
 */
export function fileStorage(folder: string, options?: FileStorageOptions): PageStorage {
  if (typeof folder !== 'string') {
    throw invalidInput(`The folder of fileStorage must be a string, not ${shown(folder)}.`);
  }
  if (folder === '') {
    throw invalidInput(
      'The folder of fileStorage must not be empty. The working directory is ".".',
    );
  }
  const kinds = { durability: ['relaxed', 'strict'], onProblem: 'function' } as const;
  stores ??= folderStores({ fileSystem: nodeFileSystem, processes: processesHere() });
  const { durability = 'strict', onProblem } = checkedOptions('fileStorage', options, kinds);
  return stores.storageFor({ folder, durability, onProblem });
}
