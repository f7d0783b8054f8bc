/**
 * Checks stores value by value: {@link verify} finds the faults of a store, and {@link repair}
 * makes an intact store of the readable values. Both work on a store that no account can open any
 * more, and on a store in use.
 *
 * The rules are those of the core, in a WebAssembly module of its own. Only apps that use this
 * entry load it.
 *
 * @module
 */

import type { ModulePlace } from './core/compile.js';
import type { Finding } from './recovery/finding.js';
import { repairWith, verifyWith } from './recovery/shared.js';
import type { RecoveryOptions, Repaired } from './recovery/shared.js';
import type { PageStorage } from './storage/page-storage.js';

export type { EntityPlace, Finding } from './recovery/finding.js';
export type { RecoveryOptions, Repaired } from './recovery/shared.js';

const beside: ModulePlace = {
  // Bundlers find the file by this very expression.
  source: () => new URL('./entitable-verify.wasm', import.meta.url),
  inlineEntry: 'entitable/recovery/inline',
};

/**
 * Reads every value of a store once, a few at a time, and reports every fault. Accounts may use the
 * store at the same time. Nothing is written. The storage keeps its locks, because an account may
 * use it: `storage.close()` releases them.
 *
 * It cannot find that the last records of the log are lost, unless another value refers to them:
 * without them, the store is as it was before they were written.
 *
 * @returns an empty array, if there is no fault.
 * @throws {@link TableError} `StorageUnavailable`, with the cause, if the storage cannot be read;
 * `ModuleAborted`, if the module cannot be loaded; `InvalidInput`, if an option is unknown; the
 * reason of the signal, if it fired.
 */
export function verify(storage: PageStorage, options?: RecoveryOptions): Promise<Finding[]> {
  return verifyWith(beside, storage, options);
}

/**
 * Makes an intact store of all readable values. Nothing is written. Entities outside of damaged
 * values are as they were; the findings report what else may be wrong.
 *
 * @example
 * ```ts
 * const { storage, findings } = await repair(indexedDbStorage('my-app'));
 * const repaired = await openAccount({ storage });
 * const file = await new Response(exportAll(repaired)).blob();
 * ```
 * @throws {@link TableError} `StorageUnavailable`, `ModuleAborted` or `InvalidInput`, or the reason
 * of the signal, as {@link verify} does.
 */
export function repair(storage: PageStorage, options?: RecoveryOptions): Promise<Repaired> {
  return repairWith(beside, storage, options);
}
