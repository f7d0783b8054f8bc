// chromium.mjs - the browser of the tests: whichever this machine has.

import { which } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of the browser, or undefined. */
export function findChromium() {
  return process.env.CHROMIUM || NAMES.map((name) => which(name)).find(Boolean);
}

/** What Playwright's `launch` takes. */
export function chromiumLaunchOptions() {
  return {
    executablePath: findChromium(),
    args: [
      // Chromium refuses to run as root inside its own sandbox.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      // No traffic of its own beside that of the tests.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
      '--disable-sync',
      '--no-first-run',
    ],
  };
}
