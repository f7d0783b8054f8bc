// The playground of the site: it runs programs with the real module, beside the tables that result.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { playgroundExamples, writePlayground } from '../../scripts/docs/playground.mjs';
import { expectedOutput } from '../../scripts/lib/documents.mjs';
import { serve } from '../../scripts/lib/server.mjs';
import { isWhole } from '../../scripts/test/tier.mjs';
import { openBrowser } from './support/browser.js';

const folder = 'build/playground';

// The pages that newcomers read; the whole matrix runs the examples of all others, too.
const FIRST = /^(welcome|start|recipes)\b/;

const examples = playgroundExamples().filter(({ name }) => isWhole() || FIRST.test(name));

let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;
let page: Page;

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await writePlayground(folder);
  writeFileSync(
    `${folder}/index.html`,
    '<!doctype html><title>Playground</title><div id="playground-app"></div>' +
      '<script type="module" src="main.js"></script>',
  );
  // The site sends no policy; that of the frame is in its page.
  server = await serve(folder, { port: 0, headers: { 'content-security-policy': '' } });
  browser = await openBrowser();
  const permissions = ['clipboard-read', 'clipboard-write'];
  // One page for all tests: each program begins anew, and TypeScript takes seconds to load.
  page = await (await browser.newContext({ permissions })).newPage();
  await page.goto(server.url);
  await page.locator('.cm-content').waitFor();
}, 120_000);

afterAll(async () => {
  await browser.close();
  await server.close();
});

const status = () => page.getByRole('status').textContent();
const output = () => page.locator('[data-part=output] li').allTextContents();

async function write(program: string): Promise<void> {
  await page.locator('.cm-content').fill(program);
}

/** Runs what is in the editor to its end. */
async function run(): Promise<void> {
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText(/^(Done|Ended with an error|This is no TypeScript yet.*)\.?$/).waitFor();
}

const OPEN = `import { openAccount } from 'entitable';
import { memoryStorage } from 'entitable/storage/memory';
const account = await openAccount({ storage: memoryStorage() });
`;

describe('an example of the documentation', () => {
  it('is opened by its name in the address, and runs when it is asked to', async () => {
    await page.goto(`${server.url}#example=recipes/1`);

    await expect.poll(() => page.locator('select').inputValue()).toBe('recipes/1');
    expect(await output()).toEqual([]);
  });

  it('prints what its comments show', { timeout: 300_000 }, async () => {
    expect(examples.length).toBeGreaterThan(20);
    for (const { name, code } of examples) {
      await page.locator('select').selectOption(name);
      await expect.poll(() => page.locator('.cm-content').innerText()).toContain('import');
      await run();
      const printed = (await output()).filter((line) => !line.startsWith('[entitable]'));
      expect([name, ...printed]).toEqual([name, ...expectedOutput(code)]);
    }
  });
});

describe('a program', () => {
  it('shows its tables with the types of the service', async () => {
    await write(`${OPEN}await account.createTable('Cities');
await account.tableClient('Cities').createEntity({
  partitionKey: 'Peru', rowKey: 'Lima', people: 10n, founded: new Date('1821-07-28'),
});
await account.close();`);
    await run();

    const table = page.getByRole('region', { name: 'Entities of Cities' });
    expect(await table.locator('th').allInnerTexts()).toEqual(
      expect.arrayContaining(['people\nInt64', 'founded\nDateTime']),
    );
    expect(await table.locator('td').allInnerTexts()).toEqual(
      expect.arrayContaining(['Peru', 'Lima', '10', '1821-07-28T00:00:00Z']),
    );
  });

  it('shows an error of the service at its line', async () => {
    await write(`${OPEN}
await account.tableClient('Missing').getEntity('p', 'r');`);
    await run();

    expect(await output()).toEqual([expect.stringMatching(/^Line 5: TableNotFound: /)]);
    expect(await page.locator('.cm-lintRange-error').innerText()).toContain('getEntity');
  });

  it('is checked while it is written, with the types of the package', async () => {
    await write(`import { t } from 'entitable/schema';
export const title = t.string({ minLenght: 1 });`);

    await expect
      .poll(() => page.locator('.cm-lintRange-error').allInnerTexts(), { timeout: 30_000 })
      .toEqual(['minLenght']);
  });

  it('does not run when it is no TypeScript', async () => {
    await write("console.log('begun');\nconst = 1;");
    await run();

    expect(new Set(await output())).toEqual(new Set(['Variable declaration expected.']));
  });

  it('is completed by the names of the package', async () => {
    await write(`${OPEN}account.dele`);
    await page.locator('.cm-content').press('Control+End');
    await page.keyboard.type('t');

    const names = page.locator('.cm-tooltip-autocomplete li');
    await expect.poll(() => names.allInnerTexts(), { timeout: 30_000 }).toContain('deleteTable');
  });

  it('reaches neither the storages of the site nor a server', async () => {
    await write(`export {};
try { localStorage.length; } catch (error) { console.log((error as Error).name); }
try { await fetch('${server.url}'); } catch (error) { console.log((error as Error).name); }`);
    await run();

    expect((await output()).filter((line) => /^\w+$/.test(line))).toEqual([
      'SecurityError',
      'TypeError',
    ]);
  });

  it('ends when it is stopped', async () => {
    await write("export {};\nconsole.log('begun');\nawait new Promise(() => undefined);");
    await page.getByRole('button', { name: 'Run' }).click();
    await expect.poll(output, { timeout: 30_000 }).toEqual(['begun']);
    await page.getByRole('button', { name: 'Stop' }).click();

    expect(await page.locator('iframe').count()).toBe(0);
    expect(await status()).toBe('Stopped.');
  });

  it('shows what it renders', async () => {
    await write("document.body.innerHTML = '<b>Hello</b>';");
    await run();

    expect(await page.frameLocator('iframe').locator('body').innerText()).toBe('Hello');
    expect(await page.getByRole('heading', { name: 'Page' }).isVisible()).toBe(true);
  });
});

describe('a link', () => {
  it('brings the program, which waits to be run', async () => {
    const program = "console.log('äöü €');";
    await write(program);
    await page.getByRole('button', { name: 'Copy a link' }).click();
    await expect.poll(status).toMatch(/^The address is in the clipboard/);
    const address = await page.evaluate(() => navigator.clipboard.readText());
    const other = await page.context().newPage();
    await other.goto(address);

    await expect.poll(() => other.locator('.cm-content').innerText()).toBe(program);
    expect(await other.locator('[data-part=output] li').count()).toBe(0);
  });

  it('that was cut says so', async () => {
    await page.goto(`${server.url}#code=AAAA`);

    await expect.poll(status).toMatch(/is not whole/);
  });
});
