// page.ts - an app in Chromium.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

import { isAccessible } from '../../browser/support/axe.js';
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
  // Servers for development build a page when it is asked for.
  page.setDefaultNavigationTimeout(90_000);
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

/** The page breaks no rule of axe and does not scroll sideways, on a desktop and on a phone. */
export async function isAccessibleEverywhere(page: Page): Promise<void> {
  const before = page.viewportSize()!;
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await isAccessible(page);
  }
  await page.setViewportSize(before);
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
