/**
 * Instantiates a WebAssembly module with the glue that belongs to it.
 *
 * @module
 */

import { compileFrom, loadError, type ModulePlace, type WasmSource } from './compile.js';
import type { CoreModule, CreateModule } from './module.js';

/**
 * Returns a new instance.
 *
 * @internal
 * @param createModule - the glue that belongs to the module.
 * @param given - the option `wasm`.
 * @param place - where the module is, if that option is not given.
 * @throws {@link TableError} `ModuleAborted`, with the cause, if it cannot be loaded.
 */
export async function instantiateModule(
  createModule: CreateModule,
  given: WasmSource | undefined,
  place: ModulePlace,
): Promise<CoreModule> {
  try {
    return await instantiate(createModule, await compileFrom(given, place));
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
