// page.ts - an app in Chromium.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

import { openBrowser } from '../../package/support/browser.js';

let browser: Browser;

/** Starts the browser for the tests of a file. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
}

/** The text of the page, and the messages of its console. */
export interface Shown {
  readonly title: string;
  /** Errors and warnings of the page, and requests that failed. */
  readonly problems: string[];
}

/** A page in a new profile, until the test ends. */
export interface OpenPage {
  readonly page: Page;
  /** As those of `Shown`, so far. */
  readonly problems: string[];
}

/** Makes a page in a new profile. */
export async function newPage(): Promise<OpenPage> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  return { page, problems };
}

/** Opens a page in a new profile and waits until its title is a result. */
export async function shownAt(url: string): Promise<Shown> {
  const { page, problems } = await newPage();
  await page.goto(url);
  await page
    .waitForFunction(() => document.title !== 'waiting', null, { timeout: 20_000 })
    .catch((error: Error) => problems.push(error.message));
  const title = await page.title();
  await page.context().close();
  return { title, problems };
}
