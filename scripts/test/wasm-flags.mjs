// wasm-flags.mjs - how V8 compiles our modules in tests, in Node and in Chromium.
//
// Most processes of tests end within two seconds, and V8 would spend half of their processor time
// on optimizing functions of the module. A push of 1,500 entities takes 1.4 s with the usual budget
// and 0.6 s with this one, with which only what is called very often is optimized. The whole matrix
// runs as users do.

import { isWhole } from './tier.mjs';

/** The flags of a process. */
export const WASM_FLAGS = isWhole() ? [] : ['--wasm-tiering-budget=100000000'];
