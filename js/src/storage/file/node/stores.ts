/**
 * The open stores of a process, in folders of the operating system.
 *
 * @module
 */

import type { FileSystem } from '../file-system.js';
import { FileStores } from '../stores.js';
import { takeLock } from './lock.js';
import type { Processes } from './processes.js';

/** What the stores use; tests use less room. */
export interface FolderStoresSetting {
  readonly fileSystem: FileSystem;
  readonly processes: Processes;
  readonly deadBytes?: number;
  readonly reserveBytes?: number;
}

/** Returns the stores of this process: in each folder one, which keeps other processes out. */
export function folderStores({ fileSystem, processes, ...rest }: FolderStoresSetting): FileStores {
  return new FileStores({
    resolve: (folder) => fileSystem.makeFolder(folder),
    channelOf: (folder) => `entitable:file:${folder}`,
    settingFor: (folder) => ({
      ...rest,
      fileSystem,
      boot: processes.boot,
      takeLock: () => takeLock(fileSystem, processes, folder),
    }),
  });
}
