// app-page.ts - the page of an app that loads the package without a bundler, under a strict policy.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path/posix';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

import { openBrowser } from './browser.js';
import { expectNoProblems } from './problems.js';

const TYPES: Partial<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

const NAMES = ['', '/archive', '/explorer', '/remote', '/storage/indexeddb', '/storage/memory'];
const IMPORTS = JSON.stringify({
  imports: Object.fromEntries(
    NAMES.map((name) => [`entitable${name}`, `/dist${name || '/index'}.js`]),
  ),
});
const HASH = createHash('sha256').update(IMPORTS).digest('base64');

export interface AppPage {
  readonly html: string;
  readonly css: string;
  readonly js: string;
  /** Other hosts that the policy allows to call. */
  readonly connect?: string;
}

/** A browser, and a server of apps. Any error or warning in the console fails the test. */
export function useAppPages() {
  const sites = new Map<string, AppPage>();
  const server = createServer(({ url = '' }, response) => {
    const path = normalize(new URL(url, 'http://localhost').pathname);
    const [, name = '', file = ''] = path.split('/');
    const app = sites.get(name);
    const text = app && { 'app.js': app.js, 'app.css': app.css }[file];
    if (app && !file) response.setHeader('content-security-policy', policyOf(app));
    response.setHeader('content-type', TYPES[extname(path)] ?? 'text/html');
    try {
      response.end(app ? (text ?? pageOf(app)) : readFileSync(join('.', path)));
    } catch {
      response.writeHead(404).end();
    }
  });
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  return {
    get origin(): string {
      return `http://localhost:${(server.address() as AddressInfo).port}`;
    },

    async open(app: AppPage, width = 1280): Promise<Page> {
      const name = `app${sites.size}`;
      sites.set(name, app);
      const context = await browser.newContext({
        reducedMotion: 'reduce',
        viewport: { width, height: 800 },
      });
      onTestFinished(() => context.close());
      context.setDefaultTimeout(25_000);
      const page = await context.newPage();
      expectNoProblems(page);
      await page.goto(`${this.origin}/${name}/`);
      return page;
    },
  };
}

function policyOf({ connect = '' }: AppPage): string {
  return [
    "default-src 'none'; style-src 'self'; img-src 'self' data:",
    `script-src 'self' 'wasm-unsafe-eval' 'sha256-${HASH}'`,
    `connect-src 'self' ${connect}`,
  ].join('; ');
}

function pageOf({ html }: AppPage): string {
  return `<!doctype html>
    <html lang="en">
      <head>
        <meta name="viewport" content="width=device-width" />
        <title>An app</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="app.css" />
        <script type="importmap">${IMPORTS}</script>
        <script type="module" src="app.js"></script>
      </head>
      <body>${html}</body>
    </html>`;
}
