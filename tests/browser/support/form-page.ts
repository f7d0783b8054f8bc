// form-page.ts - reads and operates the page with the form as a visitor does.

import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, inject } from 'vitest';

import { openIn, TIMEOUT_MS, type useBrowser } from './browser.js';

export class FormPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** A control of the form, by its label. */
  field(label: string): Locator {
    return this.form.getByLabel(label, { exact: true });
  }

  get form(): Locator {
    return this.page.getByRole('form', { name: 'Register a pet' });
  }

  get summary(): Locator {
    return this.page.getByRole('alert').filter({ has: this.page.getByRole('link') });
  }

  get languages(): Locator {
    return this.page.getByLabel('Messages in');
  }

  /** The panel beside the form. */
  get entity(): Locator {
    return this.page.getByRole('region', { name: 'The entity that results' });
  }

  get schema(): Locator {
    return this.page.getByRole('region', { name: 'The JSON Schema of the table' });
  }

  get pets(): Locator {
    return this.page.getByRole('list', { name: 'Registered pets' }).getByRole('listitem');
  }

  /** Types with real keys into a control, and leaves it. */
  async type(label: string, text: string): Promise<void> {
    const { keyboard } = this.page;
    await this.field(label).focus();
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type(text);
    await keyboard.press('Tab');
  }

  /** The message that a control refers to; empty, if there is none. */
  async message(label: string): Promise<string> {
    const field = this.field(label);
    if ((await field.getAttribute('aria-invalid')) !== 'true') return '';
    const id = await field.getAttribute('aria-errormessage');
    return this.page.locator(`[id="${id}"]`).innerText();
  }

  /** Waits until a control has this message. */
  async seesMessage(label: string, message: string): Promise<void> {
    await eventually(() => this.message(label)).toBe(message);
  }

  /** The rows of the entity: its type and value, by the name of the property. */
  async entityRows(): Promise<Record<string, string>> {
    const rows = await this.entity
      .getByRole('row')
      .evaluateAll((all: HTMLTableRowElement[]) =>
        all.map(({ cells }) => Array.from(cells, (cell) => cell.innerText.trim())),
      );
    return Object.fromEntries(rows.map(([name, ...others]) => [name!, others.join(' ')]));
  }
}

/** Waits as long as a page may take on a busy machine. */
export function eventually<T>(read: () => T) {
  return expect.poll(read, { timeout: TIMEOUT_MS });
}

type TestBrowser = ReturnType<typeof useBrowser>;

/** Opens the page with the form in a context of its own, and waits until it can be used. */
export async function visitForm(
  browser: TestBrowser,
  options: BrowserContextOptions = {},
): Promise<FormPage> {
  return visitFormIn(await browser.newContext({ locale: 'en-US', ...options }));
}

export async function visitFormIn(context: BrowserContext): Promise<FormPage> {
  const form = new FormPage(await openIn(context, `${inject('pageUrl')}form.html`));
  await isReady(form);
  return form;
}

/** Waits until the form can be used. */
export async function isReady(form: FormPage): Promise<void> {
  await form.page.getByText(/kept as a draft|Your draft is back/).waitFor();
}
