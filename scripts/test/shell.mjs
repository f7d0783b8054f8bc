// shell.mjs - Chromium without its windows and menus: most tests need no more, and each of their
// pages takes half the time.

import { chromiumLaunchOptions } from '../lib/chromium.mjs';
import { which } from '../lib/run.mjs';
import { WASM_FLAGS } from './wasm-flags.mjs';

/** Its path, or undefined. Another browser that is named stands in. */
export function findHeadlessShell() {
  return process.env.CHROMIUM || which('chromium-headless-shell');
}

/** Options of Playwright's `launch` for it, with more flags of V8. */
export function shellLaunchOptions(...flags) {
  const { args } = chromiumLaunchOptions();
  return {
    executablePath: findHeadlessShell(),
    // Chromium takes the last such argument alone.
    args: [...args, `--js-flags=${[...WASM_FLAGS, ...flags].join(' ')}`],
  };
}
