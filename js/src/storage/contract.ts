/**
 * What an author of a storage needs: all types of the storage contract, and the contract as checks
 * for any test runner. Every adapter must pass them.
 *
 * @module
 */

import type { StorageCheck } from './contract/assert.js';
import { COMMITS } from './contract/commits.js';
import { COPIES } from './contract/copies.js';
import { EXCLUSIVE } from './contract/exclusive.js';
import { LIFE } from './contract/life.js';
import { LONG_VALUES } from './contract/long-values.js';
import { MODEL } from './contract/model.js';
import { OVERLAPS } from './contract/overlaps.js';
import { READS } from './contract/reads.js';

export type { StorageRoom } from '../base/errors.js';
export type { StorageCheck, StorageCheckOptions } from './contract/assert.js';
export type {
  Batch,
  CommitOptions,
  CommitOutcome,
  CommitResult,
  Durability,
  PageStorage,
  ReadRequest,
  Snapshot,
  StatusListener,
  StorageKey,
  StoreStatus,
} from './page-storage.js';

/**
 * Every sentence of the documentation of `PageStorage` that a program can check, each with a name.
 * `docs/guides/storage-adapter.md` lists what no program can check: whether a commit survives a
 * power cut, for example.
 *
 * @example
 * ```ts
 * for (const { name, run } of storageContract) {
 *   test(name, () => run(() => myStorage(), { maxValueBytes: 65_536 }));
 * }
 * ```
 */
export const storageContract: readonly StorageCheck[] = [
  ...READS,
  ...COPIES,
  ...COMMITS,
  ...OVERLAPS,
  ...EXCLUSIVE,
  ...LIFE,
  ...LONG_VALUES,
  ...MODEL,
];
