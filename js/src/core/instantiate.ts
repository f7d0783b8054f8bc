/**
 * Instantiates a WebAssembly module with the glue that belongs to it.
 *
 * @module
 */

import { TableError } from '../errors.js';
import {
  compileFrom,
  loadError,
  NOT_LOADED,
  type ModulePlace,
  type WasmSource,
} from './compile.js';
import type { CoreModule, CreateModule } from './module.js';

/**
 * Returns a new instance.
 *
 * @internal
 * @param createModule - the glue that belongs to the module.
 * @param file - the name of the module's file, for messages.
 * @param given - the option `wasm`.
 * @param place - where the module is, if that option is not given.
 * @throws {@link TableError} `ModuleAborted`, with the cause, if it cannot be loaded.
 */
export async function instantiateModule(
  createModule: CreateModule,
  file: string,
  given: WasmSource | undefined,
  place: ModulePlace,
): Promise<CoreModule> {
  const module = await compiled(given, place);
  try {
    return await instantiate(createModule, module);
  } catch (cause) {
    const sentence = `This entry needs ${file} of the same version; another module does not fit.`;
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

// The glue's own promise never settles when the instance cannot be made.
function instantiate(createModule: CreateModule, module: WebAssembly.Module): Promise<CoreModule> {
  return new Promise((resolve, reject) => {
    createModule({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(module, imports)
          .then((instance) => receive(instance, module))
          .catch(reject);
        return {};
      },
    }).then(resolve, reject);
  });
}
