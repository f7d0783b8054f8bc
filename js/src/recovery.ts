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

import { loadError, type WasmSource } from './core/instantiate.js';
import { abortError, invalidInput } from './errors.js';
import { hasMethod } from './kinds.js';
import type { OperationOptions } from './models.js';
import { checkedOptions, OPERATION_OPTIONS } from './options.js';
import { shown } from './shown.js';
import type { Finding } from './recovery/finding.js';
import { SavedStorage } from './recovery/saved-storage.js';
import { SurveyModule } from './recovery/survey-module.js';
import { ValueReader } from './recovery/value-reader.js';
import type { PageStorage } from './storage/page-storage.js';

export type { EntityPlace, Finding } from './recovery/finding.js';

/** Options of {@link verify} and {@link salvage}. */
export interface RecoveryOptions extends OperationOptions {
  /** Where `entitable-survey.wasm` is; by default beside the script, where bundlers put it. */
  readonly wasm?: WasmSource | undefined;

  /** Is called before each read, with the number of values that were read up to then. */
  readonly onProgress?: ((values: number) => void) | undefined;
}

const OPTIONS = { wasm: 'any', onProgress: 'function', ...OPERATION_OPTIONS } as const;

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
export async function verify(storage: PageStorage, options?: RecoveryOptions): Promise<Finding[]> {
  const survey = await surveyOf(storage, false, checkedOptions('verify', options, OPTIONS));
  return survey.report().findings;
}

/** What {@link salvage} could do. */
export interface Salvaged {
  /**
   * What can be read, as a storage: open an account on it, and export all of it, or look for what
   * you need. It cannot be written to, and reads pages out of the store that was salvaged, which
   * must not be written to meanwhile.
   */
  readonly storage: PageStorage;

  /** What is wrong with the store; those that are `lossy` say what is lost. */
  readonly findings: Finding[];

  /** Tables whose names are lost, under the names that they have now. */
  readonly named: string[];
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
export async function salvage(storage: PageStorage, options?: RecoveryOptions): Promise<Salvaged> {
  const survey = await surveyOf(storage, true, checkedOptions('salvage', options, OPTIONS));
  const top = survey.takeTop();
  return { storage: new SavedStorage(storage, top), ...survey.report() };
}

async function surveyOf(
  storage: PageStorage,
  salvages: boolean,
  { wasm, abortSignal, onProgress }: RecoveryOptions,
): Promise<SurveyModule> {
  if (!hasMethod(storage, 'read')) {
    throw invalidInput(`What is read must be a storage, not ${shown(storage)}.`);
  }
  let module: SurveyModule;
  try {
    // Bundlers find the file by this very expression.
    module = await SurveyModule.load(wasm ?? new URL('./entitable-survey.wasm', import.meta.url));
  } catch (cause) {
    throw loadError(cause, wasm);
  }
  const reader = await ValueReader.open(storage);
  module.begin(salvages, reader.pages);
  let values = 0;
  for (let wanted; (wanted = module.next());) {
    if (abortSignal?.aborted) throw abortError(abortSignal);
    onProgress?.(values);
    const snapshot = await reader.read(wanted);
    values += snapshot.values.length + snapshot.records.length;
    module.supply(snapshot);
  }
  return module;
}
