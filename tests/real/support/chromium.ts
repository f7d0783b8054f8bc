// chromium.ts - what only the browser's own protocol can do to a page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, type CDPSession } from 'playwright-core';
import { onTestFinished } from 'vitest';

import type { Browser } from './browser.js';

/** A session with the page at an address, for the length of the test. */
export async function sessionWith({ profile }: Browser, url: string): Promise<CDPSession> {
  const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  const client = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  onTestFinished(() => client.close());
  const context = client.contexts()[0]!;
  return context.newCDPSession(context.pages().find((page) => page.url() === url)!);
}
