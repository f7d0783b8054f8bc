/**
 * What the entries `entitable/recovery` and `entitable/recovery/inline` have in common: all but the
 * place of the module. It is one file of the package.
 *
 * @module
 */

import type { OperationOptions } from '../base/call-options.js';
import { abortError, invalidInput } from '../base/errors.js';
import { hasMethod } from '../base/kinds.js';
import { checkedOptions, OPERATION_OPTIONS } from '../base/options.js';
import { shown } from '../base/shown.js';
import { compileFrom, loadError, type ModulePlace, type WasmSource } from '../core/compile.js';
import type { PageStorage } from '../storage/page-storage.js';
import type { Finding } from './finding.js';
import { SavedStorage } from './saved-storage.js';
import { ValueReader } from './value-reader.js';
import { VerifyModule } from './verify-module.js';

/** Options of `verify` and `salvage`. */
export interface RecoveryOptions extends OperationOptions {
  /** Where `entitable-verify.wasm` is; by default beside the script, where bundlers put it. */
  readonly wasm?: WasmSource | undefined;

  /** Is called before each read, with the number of values that were read up to then. */
  readonly onProgress?: ((values: number) => void) | undefined;
}

const OPTIONS = { wasm: 'module', onProgress: 'function', ...OPERATION_OPTIONS } as const;

/** What `salvage` could do. */
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
 * What `verify()` of an entry does, with the module of that entry.
 *
 * @internal
 */
export async function verifyWith(
  place: ModulePlace,
  storage: PageStorage,
  options: RecoveryOptions | undefined,
): Promise<Finding[]> {
  const checked = checkedOptions('verify', options, OPTIONS);
  const survey = await surveyOf(place, storage, false, checked);
  return survey.report().findings;
}

/**
 * What `salvage()` of an entry does, with the module of that entry.
 *
 * @internal
 */
export async function salvageWith(
  place: ModulePlace,
  storage: PageStorage,
  options: RecoveryOptions | undefined,
): Promise<Salvaged> {
  const checked = checkedOptions('salvage', options, OPTIONS);
  const survey = await surveyOf(place, storage, true, checked);
  const top = survey.takeRecovered();
  return { storage: new SavedStorage(storage, top), ...survey.report() };
}

async function surveyOf(
  place: ModulePlace,
  storage: PageStorage,
  salvages: boolean,
  { wasm, abortSignal, onProgress }: RecoveryOptions,
): Promise<VerifyModule> {
  if (!hasMethod(storage, 'read')) {
    throw invalidInput(`What is read must be a storage, not ${shown(storage)}.`);
  }
  let module: VerifyModule;
  try {
    module = await VerifyModule.start(await compileFrom(wasm, place));
  } catch (cause) {
    throw loadError(cause, wasm, place);
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
