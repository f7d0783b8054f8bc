/**
 * Stores looked at value by value: {@link verify} says what is wrong with one, {@link salvage}
 * makes of what can be read one that is whole. Both work on a store that no account can be opened
 * on any more, and on one that is in use.
 *
 * The rules are those of the core, in a WebAssembly module of its own, so that only those who use
 * this load it.
 *
 * @module
 */

import type { ModulePlace } from './core/compile.js';
import type { Finding } from './recovery/finding.js';
import { salvageWith, verifyWith } from './recovery/shared.js';
import type { RecoveryOptions, Salvaged } from './recovery/shared.js';
import type { PageStorage } from './storage/page-storage.js';

export type { EntityPlace, Finding } from './recovery/finding.js';
export type { RecoveryOptions, Salvaged } from './recovery/shared.js';

const beside: ModulePlace = {
  // Bundlers find the file by this very expression.
  source: () => new URL('./entitable-verify.wasm', import.meta.url),
  inlineEntry: 'entitable/recovery/inline',
};

/**
 * Reads every value of a store once, a few at a time, and says what is wrong. Accounts may go on
 * to use it meanwhile; nothing is written.
 *
 * What no one can find: that the last records of the log are gone, if nothing else tells of them,
 * because that is how the store was before they were written.
 *
 * @returns nothing, if all is well.
 * @throws {@link TableError} `StorageUnavailable`, with the cause, if the storage cannot be read;
 * `ModuleAborted`, if the module cannot be loaded; `InvalidInput`, if an option is unknown; the reason
 * of the signal, if it fired.
 */
export function verify(storage: PageStorage, options?: RecoveryOptions): Promise<Finding[]> {
  return verifyWith(beside, storage, options);
}

/**
 * Makes of all that can be read of a store one that is whole. Nothing is written; what is not in a
 * damaged value comes out as it was, and the findings say what else may be wrong.
 *
 * @example
 * ```ts
 * const { storage, findings } = await salvage(indexedDbStorage('my-app'));
 * const saved = await openAccount({ storage });
 * const file = await new Response(exportAll(saved)).blob();
 * ```
 * @throws {@link TableError} `StorageUnavailable`, `ModuleAborted` or `InvalidInput`, or the reason of the
 * signal, as {@link verify} does.
 */
export function salvage(storage: PageStorage, options?: RecoveryOptions): Promise<Salvaged> {
  return salvageWith(beside, storage, options);
}
