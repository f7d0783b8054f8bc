/**
 * Storages that a worker can make again. A storage itself cannot be sent to another thread.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { hasMethod } from '../base/kinds.js';
import type { PageStorage } from './page-storage.js';

/** How to make a storage: the name of its factory, and the arguments. */
export interface StorageDescription {
  readonly factory: 'indexedDbStorage' | 'memoryStorage' | 'opfsStorage';
  readonly args: readonly unknown[];
  /** Of a storage that several accounts in one worker share: no other storage has it. */
  readonly id?: string;
}

/** A storage of this package that a worker can make again. */
export interface DescribedStorage extends PageStorage {
  /**
   * Describes itself to a worker.
   *
   * @throws {@link TableError} `InvalidInput`, if the data is not in this worker, and cannot be.
   */
  describe(worker: object): StorageDescription;
}

/**
 * Describes a storage to a worker.
 *
 * @throws {@link TableError} `InvalidInput`, if a worker cannot make it.
 */
export function descriptionOf(storage: PageStorage, worker: object): StorageDescription {
  if (hasMethod(storage, 'describe')) return (storage as DescribedStorage).describe(worker);
  throw invalidInput(
    'This storage cannot be sent to a worker. Make it in the file of the worker: ' +
      'serveAccounts({ storage }) of entitable/worker. Then leave out the option storage here.',
  );
}
