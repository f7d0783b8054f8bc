/**
 * The storage contract as checks that any test runner can run: what every adapter has to pass.
 *
 * @module
 */

import type { StorageCheck } from './contract/assert.js';
import { COMMITS } from './contract/commits.js';
import { COPIES } from './contract/copies.js';
import { EXCLUSIVE } from './contract/exclusive.js';
import { LIFE } from './contract/life.js';
import { MODEL } from './contract/model.js';
import { OVERLAPS } from './contract/overlaps.js';
import { READS } from './contract/reads.js';

export type { StorageCheck } from './contract/assert.js';

/**
 * Every sentence of the documentation of `PageStorage` that a program can find out, each under
 * a name. `docs/guides/storage-adapter.md` lists what no program can find out: whether a commit
 * survives a power cut, for example.
 *
 * @example
 * ```ts
 * for (const { name, run } of storageContract) test(name, () => run(() => myStorage()));
 * ```
 */
export const storageContract: readonly StorageCheck[] = [
  ...READS,
  ...COPIES,
  ...COMMITS,
  ...OVERLAPS,
  ...EXCLUSIVE,
  ...LIFE,
  ...MODEL,
];
