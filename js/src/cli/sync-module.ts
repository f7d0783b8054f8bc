/**
 * The WebAssembly module of the commands that move tables: that of pages, with sync.
 *
 * @module
 */

import createModule from '#entitable-core';

import type { EntryModule } from '../core/load-module.js';

export const SYNC_MODULE: EntryModule = {
  kind: { createModule, file: 'entitable-sync.wasm' },
  source: () => new URL('./entitable-sync.wasm', import.meta.url),
};
