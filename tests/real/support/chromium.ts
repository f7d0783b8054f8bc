// chromium.ts - what only the browser's own protocol can do.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, type CDPSession } from 'playwright-core';
import { onTestFinished, vi } from 'vitest';

// Chromium writes there at which port it speaks the protocol.
const portFile = (profile: string) => join(profile, 'DevToolsActivePort');

/** To be called before it is started: an earlier one may have had another port. */
export function forgetProtocol(profile: string): void {
  rmSync(portFile(profile), { force: true });
}

/** Opens addresses, a tab each. */
export async function openTabs(profile: string, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    await fetch(`${await endpoint(profile)}/json/new?${encodeURI(url)}`, { method: 'PUT' });
  }
}

/** A session with the page at an address, for the length of the test. */
export async function sessionWith(profile: string, url: string): Promise<CDPSession> {
  const client = await chromium.connectOverCDP(await endpoint(profile));
  onTestFinished(() => client.close());
  const context = client.contexts()[0]!;
  return context.newCDPSession(context.pages().find((page) => page.url() === url)!);
}

async function endpoint(profile: string): Promise<string> {
  const file = portFile(profile);
  await vi.waitUntil(() => existsSync(file) && readFileSync(file, 'utf8').includes('\n'), 20_000);
  return `http://127.0.0.1:${readFileSync(file, 'utf8').split('\n')[0]}`;
}
