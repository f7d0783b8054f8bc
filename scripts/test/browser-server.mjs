// browser-server.mjs - one Chromium for all files of a suite, which open contexts of their own in
// it (tests/package/support/browser.ts).

import { shellLaunchOptions } from './shell.mjs';

export default async function setup({ provide }) {
  // Scripts import no package before it is installed.
  const { chromium } = await import('playwright-core');
  const server = await chromium.launchServer(shellLaunchOptions());
  provide('browser', server.wsEndpoint());
  return () => server.close();
}
