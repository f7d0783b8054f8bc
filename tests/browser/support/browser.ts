// browser.ts - a browser for each test file, and pages that must log no error.

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';

import { openBrowser } from '../../package/support/browser.js';
import { DemoPage } from './demo-page.js';

/** Loads are slow on a busy machine. */
export const TIMEOUT_MS = 25_000;

/** The browser of a test file. Contexts share nothing, so each is a first visit. */
export function useBrowser() {
  let browser: Browser;
  const filled = new Map<Fill, Promise<BrowserContext>>();
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  return {
    /**
     * A context that is closed after the test. Its pages have no service worker, which would store
     * all files of the demo: that takes longer than most tests.
     */
    async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
      const context = await this.newContextWithServiceWorkers(options);
      await withoutServiceWorkers(context);
      return context;
    },

    async newContextWithServiceWorkers(options: BrowserContextOptions = {}) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      onTestFinished(() => context.close());
      return context;
    },

    /** A context for several tests of the file, with the service worker. */
    contextOfFile(): Promise<BrowserContext> {
      return browser.newContext({ reducedMotion: 'reduce' });
    },

    /** Opens the page in a context of its own. */
    async visit(options: BrowserContextOptions = {}): Promise<DemoPage> {
      return visitIn(await this.newContext(options));
    },

    /** Opens the page where an earlier one was filled. No test may change what it has stored. */
    async visitFilled(fill: Fill): Promise<DemoPage> {
      if (!filled.has(fill)) filled.set(fill, filledContext(await this.contextOfFile(), fill));
      const demo = await visitIn(await filled.get(fill)!);
      onTestFinished(() => demo.page.close());
      return demo;
    },

    /** Opens the page with the movies, which no test may change. */
    async visitMovies(): Promise<DemoPage> {
      const demo = await this.visitFilled(loadMovies);
      await demo.page.getByText(/^3,201 entities · /).waitFor();
      return demo;
    },
  };
}

/** Fills the store of a page, for several tests of a file. */
type Fill = (demo: DemoPage) => Promise<void>;

const loadMovies: Fill = (demo) => demo.loadMovies();

async function filledContext(context: BrowserContext, fill: Fill): Promise<BrowserContext> {
  await withoutServiceWorkers(context);
  const demo = await visitIn(context);
  await fill(demo);
  await demo.page.close();
  return context;
}

function withoutServiceWorkers(context: BrowserContext) {
  return context.addInitScript(() => {
    delete (Navigator.prototype as { serviceWorker?: unknown }).serviceWorker;
  });
}

/** Opens the page. Any error, warning or request to another server fails the test. */
export async function visitIn(context: BrowserContext): Promise<DemoPage> {
  return new DemoPage(await openIn(context, inject('pageUrl')));
}

/** Opens any page of the demo. Errors fail the test, as in {@link visitIn}. */
export async function openIn(context: BrowserContext, url: string): Promise<Page> {
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(inject('pageUrl'))) problems.push(`request to ${request.url()}`);
  });
  onTestFinished(() => expect(problems).toEqual([]));
  await page.goto(url);
  return page;
}

/** Makes the pages of a context such as those to which the user denies a storage. */
export function denyAccess(context: BrowserContext, name: 'indexedDB' | 'localStorage') {
  return context.addInitScript((storage) => {
    Object.defineProperty(globalThis, storage, {
      get() {
        throw new DOMException('The user denied permission.', 'SecurityError');
      },
    });
  }, name);
}
