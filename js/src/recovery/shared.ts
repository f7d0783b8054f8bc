/**
 * All that the entries `entitable/recovery` and `entitable/recovery/inline` share; they differ in
 * the place of the module. It is one file of the package.
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
import { RepairedStorage } from './repaired-storage.js';
import { ValueReader } from './value-reader.js';
import { VerifyModule } from './verify-module.js';

/** Options of `verify` and `repair`. */
export interface RecoveryOptions extends OperationOptions {
  /** Where `entitable-verify.wasm` is; by default beside the script, where bundlers put it. */
  readonly wasm?: WasmSource | undefined;

  /** Called before each read, with the number of values that were read so far. */
  readonly onProgress?: ((values: number) => void) | undefined;
}

const OPTIONS = { wasm: 'module', onProgress: 'function', ...OPERATION_OPTIONS } as const;

/** The result of `repair`. */
export interface Repaired {
  /**
   * The readable data as a storage: open an account on it, and export all of it, or find what you
   * need. It is read-only. It reads pages of the damaged store, so do not write to that store while
   * you use it.
   */
  readonly storage: PageStorage;

  /** The faults of the store; a `lossy` one says which entities are lost. */
  readonly findings: Finding[];

  /** Tables whose names are lost, with their new names. */
  readonly named: string[];
}

/**
 * `verify()` of every entry.
 *
 * @internal
 */
export async function verifyWith(
  place: ModulePlace,
  storage: PageStorage,
  options: RecoveryOptions | undefined,
): Promise<Finding[]> {
  const checked = checkedOptions('verify', options, OPTIONS);
  const { module, reader } = await readAll('verify', place, storage, checked);
  await reader.end();
  return findingsOf(reader, module.report().findings);
}

/**
 * `repair()` of every entry.
 *
 * @internal
 */
export async function repairWith(
  place: ModulePlace,
  storage: PageStorage,
  options: RecoveryOptions | undefined,
): Promise<Repaired> {
  const checked = checkedOptions('repair', options, OPTIONS);
  const { module, reader } = await readAll('repair', place, storage, checked);
  const values = module.takeRecovered();
  const { findings, named } = module.report();
  const close = async () => {
    await reader.end();
    await storage.close();
  };
  const repaired = new RepairedStorage(reader.storage, values, close);
  return { storage: repaired, findings: findingsOf(reader, findings), named };
}

// What is lost with a part of a file, nobody knows: it may be any entity.
function findingsOf({ damage }: ValueReader, findings: Finding[]): Finding[] {
  if (!damage) return findings;
  const { message } = damage.cause as Error;
  return [{ key: 'pages/root', kind: 'file', flaw: 'damaged', message, lossy: true }, ...findings];
}

// Gives the module every value of the store.
async function readAll(
  owner: 'verify' | 'repair',
  place: ModulePlace,
  storage: PageStorage,
  { wasm, abortSignal, onProgress }: RecoveryOptions,
): Promise<{ module: VerifyModule; reader: ValueReader }> {
  if (!hasMethod(storage, 'read')) {
    throw invalidInput(`${owner} reads a storage, not ${shown(storage)}.`);
  }
  let module: VerifyModule;
  try {
    module = await VerifyModule.start(await compileFrom(wasm, place));
  } catch (cause) {
    throw loadError(cause, wasm, place);
  }
  const reader = await ValueReader.open(storage);
  try {
    module.begin(owner === 'repair', reader.pages);
    let values = 0;
    for (let wanted; (wanted = module.next());) {
      if (abortSignal?.aborted) throw abortError(abortSignal);
      onProgress?.(values);
      const snapshot = await reader.read(wanted);
      values += snapshot.values.length + snapshot.records.length;
      module.supply(snapshot);
    }
  } catch (cause) {
    await reader.end();
    throw cause;
  }
  return { module, reader };
}
