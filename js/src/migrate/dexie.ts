/**
 * Moves the data of an app from Dexie, or any other database of IndexedDB, into declared tables.
 *
 * @module
 */

export { importFromDexie } from './dexie/import-from-dexie.js';
export type {
  Converters,
  DexieImportOptions,
  DexieImportProgress,
  DexieLike,
  SourceDatabase,
  SourceKey,
  StoreProgress,
  TablesOfStores,
} from './dexie/models.js';
