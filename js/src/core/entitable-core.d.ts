/**
 * The types of the glue that Emscripten writes: `#entitable-core` in tsconfig.json.
 *
 * @module
 */

import type { CreateModule } from './module.js';

declare const createModule: CreateModule;
export default createModule;
