// modules.ts - instances of the built modules, as the entries load them.

import { MODULE } from '../../../js/src/client/shared.js';
import type { WasmSource } from '../../../js/src/core/compile.js';
import { loadModule } from '../../../js/src/core/load-module.js';
import type { CoreModule } from '../../../js/src/core/module.js';
import { wasmBytes } from './wasm.js';

export const loadPageModule = (given?: WasmSource): Promise<CoreModule> =>
  loadModule({ kind: MODULE, source: () => wasmBytes() }, given);
