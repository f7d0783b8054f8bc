// chromium.mjs - finds the browser for tests and benchmarks on this machine.

import { which } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of the whole browser, or undefined. */
export function findChromium() {
  return process.env.CHROMIUM || NAMES.map((name) => which(name)).find(Boolean);
}

/** Options of Playwright's `launch` for it. */
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
