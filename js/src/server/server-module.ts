/**
 * The WebAssembly module of the command: the module of pages with sync, compiled for speed.
 *
 * @module
 */

import createModule from '#entitable-server-core';

import type { EntryModule } from '../core/load-module.js';

export const SERVER_MODULE: EntryModule = {
  kind: { createModule, file: 'entitable-server.wasm' },
  source: () => new URL('./entitable-server.wasm', import.meta.url),
};
