// modules.ts - instances of the built modules, as the entries load them.

import { MODULE } from '../../../js/src/client/shared.js';
import type { WasmSource } from '../../../js/src/core/compile.js';
import { loadModule } from '../../../js/src/core/load-module.js';
import type { CoreModule } from '../../../js/src/core/module.js';
import { MODULE as HTTP_MODULE } from '../../../js/src/http/shared.js';
import { httpWasmBytes, wasmBytes } from './wasm.js';

export const loadPageModule = (given?: WasmSource): Promise<CoreModule> =>
  loadModule({ kind: MODULE, source: () => wasmBytes() }, given);

export const loadHttpModule = (given?: WasmSource): Promise<CoreModule> =>
  loadModule({ kind: HTTP_MODULE, source: () => httpWasmBytes() }, given);
