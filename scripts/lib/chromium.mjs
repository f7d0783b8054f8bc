// chromium.mjs - finds the browser for the tests on this machine, and the same browser without its
// windows and menus: most tests need no more, and each of their pages takes half the time.

import { which } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const SHELL = 'chromium-headless-shell';

/** The path of the whole browser, or undefined. */
export function findChromium() {
  return process.env.CHROMIUM || NAMES.map((name) => which(name)).find(Boolean);
}

/**
 * The path of the browser without windows, or undefined. Another browser that is named stands in.
 */
export function findHeadlessShell() {
  return process.env.CHROMIUM || which(SHELL);
}

/** Options of Playwright's `launch` for the browser without windows. */
export const shellLaunchOptions = () => ({
  ...chromiumLaunchOptions(),
  executablePath: findHeadlessShell(),
});

/** Options of Playwright's `launch` for the whole browser. */
export function chromiumLaunchOptions() {
  return {
    executablePath: findChromium(),
    args: [
      // Chromium refuses to run as root in its sandbox.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      // No requests but those of the tests.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
      '--disable-sync',
      '--no-first-run',
    ],
  };
}
