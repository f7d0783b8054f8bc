// The page of `entitable serve --explorer`, in a browser.

import { request } from 'node:http';

import type { Browser, Page } from 'playwright-core';
import { TableClient } from '@azure/data-tables';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { isAccessible } from '../browser/support/axe.js';
import { openBrowser } from './support/browser.js';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { expectNoProblems } from './support/problems.js';
import { newFolder, serve, type Server } from './support/serve.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Opens the page. Any error in the console fails the test: of the policy, or of a missing file. */
async function visit(server: Server, width = 1280): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(25_000);
  const page = await context.newPage();
  expectNoProblems(page);
  await page.goto(new URL('/-/explorer', server.url).href);
  return page;
}

async function addPets({ connectionString }: Server): Promise<void> {
  const pets = TableClient.fromConnectionString(connectionString, 'Pets', {
    allowInsecureConnection: true,
  });
  await pets.createTable();
  await pets.createEntity({ partitionKey: 'dogs', rowKey: 'rex', age: 3 });
}

/** The status and the headers of a raw request, as no browser would send it. */
function answerTo(url: URL, path: string, host = url.host) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      request({ port: url.port, path, headers: { host } }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, text }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

describe('entitable serve --explorer', () => {
  it('is the command of the guide', async () => {
    const words = exampleNamed('docs/guides/explorer.md', 'serve').trim().split(' ').slice(3);
    const server = await serve(...words.map((word) => (word === './tables' ? newFolder() : word)));

    expect((await answerTo(server.url, '/-/explorer')).status).toBe(200);
  });

  it('opens the account of the emulator on this machine without a question', async () => {
    const server = await serve('--in-memory', '--explorer');
    await addPets(server);
    const page = await visit(server);
    await page.getByRole('button', { name: 'Edit rex' }).click();
    await page.getByRole('dialog').getByLabel('Value', { exact: true }).fill('4');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('rex was saved.').first().waitFor();

    await page.reload();
    await page.getByRole('gridcell', { name: '4', exact: true }).waitFor();
    await isAccessible(page);
  });

  it('imports a file, which the module in the page checks', async () => {
    const page = await visit(await serve('--in-memory', '--explorer'));
    await page.getByRole('heading', { name: 'This account has no tables' }).waitFor();
    await page.locator('#file-input').setInputFiles({
      name: 'cats.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('RowKey,Age\nmia,2\nleo,4\n'),
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: 'Loaded 2 rows' }).waitFor();
  });

  it('asks for a signature where another key protects the account', async () => {
    const key = Buffer.from('a key of my own').toString('base64');
    const account = ['--account', 'mine', '--account-key', key];
    const server = await serve('--in-memory', '--explorer', ...account);
    const page = await visit(server, 390);
    await page.getByRole('button', { name: 'Connect' }).waitFor();

    expect(await page.getByLabel('Address').inputValue()).toBe(`${server.url.origin}/mine`);
    expect(await page.content()).not.toContain(key);
    await isAccessible(page);
  });

  it('serves the page and its scripts, and nothing else', async () => {
    const { url } = await serve('--in-memory', '--explorer');
    const page = await answerTo(url, '/-/explorer');
    const policy = page.headers['content-security-policy'];

    expect(page.status).toBe(200);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'/);
    expect((await answerTo(url, '/-/explorer/index.js')).status).toBe(200);
    for (const path of ['/cli.js', '/../package.json', '/%2e%2e/package.json', '/', '/constructor'])
      expect((await answerTo(url, `/-/explorer${path}`)).text).not.toContain('"name"');
    expect((await answerTo(url, '/-/explorer/cli.js')).status).toBe(404);
    // A page of another site, whose name leads to this machine.
    expect((await answerTo(url, '/-/explorer', 'evil.example')).status).toBe(421);
  });

  it('is not there without the option', async () => {
    const { url } = await serve('--in-memory');
    expect((await answerTo(url, '/-/explorer')).status).not.toBe(200);
  });
});
