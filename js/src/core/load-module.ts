/**
 * Loads a WebAssembly module of the core, with the glue that belongs to it.
 *
 * @module
 */

import { isTableError, TableError } from '../base/errors.js';
import type { WorkerLike } from '../base/platform.js';
import {
  compileFrom,
  loadError,
  NOT_LOADED,
  type ModulePlace,
  type WasmSource,
} from './compile.js';
import type { CoreModule, CreateModule } from './module.js';
import type { RestOfModule } from './rest-of-module.js';

/** A module of the package. */
export interface ModuleKind {
  /** The glue that Emscripten wrote for it. */
  readonly createModule: CreateModule;
  /** The name of its file, for messages. */
  readonly file: string;
}

/** The module that an entry runs on, and where that entry finds it. */
export interface EntryModule extends ModulePlace {
  readonly kind: ModuleKind;

  /** If the module is in two parts: the second one, for one instance. */
  readonly rest?: () => RestOfModule;

  /** Starts the script that serves accounts in a worker; missing, if the entry has none. */
  readonly startWorker?: () => OwnWorker;
}

/** A worker that this package has started. */
export interface OwnWorker extends WorkerLike {
  terminate(): void;
}

/**
 * Returns a new instance.
 *
 * @internal
 * @param entry - the module of the entry.
 * @param given - the option `wasm`; it takes the place of `entry.source`.
 * @throws {@link TableError} `ModuleAborted`, with the cause, if it cannot be loaded.
 */
export async function loadModule(entry: EntryModule, given?: WasmSource): Promise<CoreModule> {
  const { createModule, file } = entry.kind;
  const rest = given === undefined ? entry.rest?.() : undefined;
  const first = await compiled(given, entry);
  try {
    const module = await createModule({
      wasm: (imports) =>
        rest ? rest.instantiate(first, imports) : WebAssembly.instantiate(first, imports),
    });
    if (rest && !rest.canWait) await rest.ready();
    return rest ? Object.assign(module, { rest }) : module;
  } catch (cause) {
    if (isTableError(cause)) throw cause;
    const isOfMemory = (cause as Error).name === 'RangeError';
    const sentence = isOfMemory
      ? 'There is no memory for one more. Close accounts that are no longer used.'
      : `This entry needs ${file} of the same version; another module does not fit.`;
    throw new TableError('ModuleAborted', NOT_LOADED, { sentence, cause });
  }
}

async function compiled(
  given: WasmSource | undefined,
  place: ModulePlace,
): Promise<WebAssembly.Module> {
  try {
    return await compileFrom(given, place);
  } catch (cause) {
    throw loadError(cause, given, place);
  }
}
