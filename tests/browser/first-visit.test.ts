import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';

import { useBrowser, visitIn } from './support/browser.js';

const browser = useBrowser();

describe('a first visit', () => {
  it('is told what this is and offers data to load', async () => {
    const demo = await browser.visit();

    await demo.heading('The Azure Table service runs inside this page.').waitFor();
    await demo.button('Load 3,201 movies').waitFor();
    await demo.button('Load 200,000 flights').waitFor();
    await demo.page.getByText(/^Kept in this browser · opened in [\d.,]+ ms$/).waitFor();
    expect(await demo.page.getByRole('link', { name: 'Movies' }).count()).toBe(0);
  });

  it('is told where the store cannot be opened, and why', async () => {
    const context = await browser.newContext();
    await context.addInitScript(() => {
      Object.defineProperty(globalThis, 'indexedDB', {
        get() {
          throw new DOMException('The user denied permission.', 'SecurityError');
        },
      });
    });
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
  it('is sent by the host, and is in force', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const response = await page.goto(inject('pageUrl'));
    const policy = (await response!.allHeaders())['content-security-policy'];

    expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'/);
    expect(await evaluateText(page)).toBe('EvalError');
  });

  it('is brought along by the page to a host that sends none', async () => {
    const context = await browser.newContext();
    await context.route('**/*', async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers() };
      delete headers['content-security-policy'];
      await route.fulfill({ response, headers });
    });
    const demo = await visitIn(context);
    await demo.loadMovies();
    await demo.page.close();

    // A page that may complain.
    const page = await context.newPage();
    await page.goto(inject('pageUrl'));
    await page.getByRole('heading', { name: 'Movies', exact: true }).waitFor();
    expect(await evaluateText(page)).toBe('EvalError');
    await context.unrouteAll({ behavior: 'wait' });
  });
});

// What becomes of text that the page tries to run; in a task of its own, because what a
// test runs directly stands above the policy.
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
