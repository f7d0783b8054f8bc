// The app of the guide for frameworks, in two tabs, with the packed package and each React.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { openBrowser } from './support/browser.js';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { installInto } from './support/packed.js';

const FILES = [
  ['docs/guides/frameworks.md', 'todo.jsx'],
  ['docs/guides/frameworks.md', 'sw.js'],
] as const;

// Where each version of React is.
const REACT = [
  { version: 18, modules: 'tests/package/react-18/node_modules' },
  { version: 19, modules: 'node_modules' },
];

let app: string;
let browser: Browser;

beforeAll(async () => {
  app = mkdtempSync(join(tmpdir(), 'entitable-to-do-'));
  installInto(app);
  for (const [page, name] of FILES) writeFileSync(join(app, name), exampleNamed(page, name));
  const html = '<!doctype html><title>To do</title><script type="module" src="todo.js"></script>';
  writeFileSync(join(app, 'index.html'), html);
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  rmSync(app, { recursive: true, force: true });
});

/** Serves the app with the React in a folder, for the length of the test. */
async function serveWith(modules: string): Promise<string> {
  await build({
    entryPoints: [join(app, 'todo.jsx')],
    outfile: join(app, 'todo.js'),
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    // The package is in the app.
    nodePaths: [resolve(modules)],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const server = await serve(app, { port: 0 });
  onTestFinished(() => server.close());
  return server.url;
}

describe('the to-do app of the guide', () => {
  it('has at most 60 lines with its service worker', () => {
    const lines = FILES.flatMap(([page, name]) => exampleNamed(page, name).trim().split('\n'));

    expect(lines.filter((line) => line.trim()).length).toBeLessThanOrEqual(60);
  });

  it.each(REACT)('shows what another tab writes, with React $version', async ({ modules }) => {
    const url = await serveWith(modules);
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const [one, other] = [await context.newPage(), await context.newPage()];
    for (const page of [one, other]) {
      await page.goto(url);
      await page.getByRole('status').waitFor();
    }

    await one.getByLabel('New task').fill('Water');
    await one.getByRole('button').click();
    // React shows the stored state only when the write is done: check() would not wait for it.
    await other.getByRole('checkbox', { name: 'Water' }).click();
    await other.getByRole('checkbox', { name: 'Water', checked: true }).waitFor();
    await one.getByText('0 to do').waitFor();
    expect(await one.getByRole('checkbox').isChecked()).toBe(true);

    await one.evaluate(async () => void (await navigator.serviceWorker.ready));
    await context.setOffline(true);
    await one.reload();
    await one.getByRole('checkbox', { name: 'Water', checked: true }).waitFor();
  });
});
