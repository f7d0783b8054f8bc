import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';

import { denyAccess, useBrowser, visitIn } from './support/browser.js';

const browser = useBrowser();

describe('a first visit', () => {
  it('explains the page, and offers to load data', async () => {
    const demo = await browser.visit();

    await demo.heading('Open a table. Sort, chart and edit it.').waitFor();
    await demo.button('Load 3,201 movies').waitFor();
    await demo.button('Load 200,000 flights').waitFor();
    await demo.page.getByText(/^Stored in this browser · opened in [\d.,]+ ms$/).waitFor();
    expect(await demo.page.getByRole('link', { name: 'Movies' }).count()).toBe(0);
  });

  it('sees why the store cannot be opened', async () => {
    const context = await browser.newContext();
    await denyAccess(context, 'indexedDB');
    const demo = await visitIn(context);

    await demo.heading('The store cannot be opened').waitFor();
    const alert = await demo.page.getByRole('alert').innerText();
    expect(alert).toMatch(/^StorageUnavailable /);
    expect(alert).toContain('SecurityError: The user denied permission.');
    await demo.button('Try again').click();
    await demo.heading('The store cannot be opened').waitFor();
  });
});

describe('the strict policy', () => {
  it('comes from the host, and applies', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const response = await page.goto(inject('pageUrl'));
    const policy = (await response!.allHeaders())['content-security-policy'];

    expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'/);
    expect(await evaluateText(page)).toBe('EvalError');
  });

  it('comes with the page if the host sends none', async () => {
    const context = await browser.newContext();
    await context.route('**/*', async (route) => {
      // The server may close an idle connection just when it is used again.
      const response = await route.fetch({ maxRetries: 3 });
      const headers = { ...response.headers() };
      delete headers['content-security-policy'];
      await route.fulfill({ response, headers });
    });
    const demo = await visitIn(context);
    await demo.loadMovies();
    await demo.page.close();

    // This page may log errors.
    const page = await context.newPage();
    await page.goto(inject('pageUrl'));
    await page.getByRole('heading', { name: 'Movies', exact: true }).waitFor();
    expect(await evaluateText(page)).toBe('EvalError');
    await context.unrouteAll({ behavior: 'wait' });
  });
});

// The result of text that the page tries to run as code. It runs in a new task, because the policy
// does not apply to code that a test runs directly.
function evaluateText(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        setTimeout(() => {
          try {
            resolve(new Function('return "it ran"')());
          } catch (error) {
            resolve((error as Error).name);
          }
        });
      }),
  );
}
