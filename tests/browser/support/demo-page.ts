// demo-page.ts - reads and operates the page as a visitor does, by the texts on the screen.

import type { Locator, Page } from 'playwright-core';

/** Entities of the grid: the text of each column, by its name. */
export interface GridText {
  /** `Title String`, `UsGross Int64`, ... */
  readonly columns: string[];
  readonly rows: Record<string, string>[];
}

export class DemoPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { name, exact: true });
  }

  get filter(): Locator {
    return this.page.getByLabel('$filter');
  }

  /** The line with the number of entities and the time. */
  get results(): Locator {
    return this.page.getByText(/^\d[\d,]* entit(y|ies)\b.* · [\d.,]+ ms$/);
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** A table in the list of tables, with this count. */
  table(name: string, count: string): Locator {
    return this.page.getByRole('link', { name: `${name} ${count}`, exact: true });
  }

  /** Loads the movies. */
  async loadMovies(): Promise<void> {
    await this.button('Load 3,201 movies').click();
    await this.heading('Loaded 3,201 movies').waitFor();
    await this.table('Movies', '3,201').waitFor();
    await this.button('Dismiss').click();
  }

  /** Does what an item of the table's menu says. */
  async choose(name: string): Promise<void> {
    await this.button('More').click();
    await this.button(name).click();
  }

  /** Asks to empty the store. */
  async emptyStore(): Promise<void> {
    await this.button('Store').click();
    await this.button('Empty the store').click();
  }

  async runFilter(filter: string): Promise<void> {
    await this.filter.fill(filter);
    await this.button('Run').click();
  }

  /** Fills in a property of the form; `index` counts the properties from 0. */
  async fillProperty(index: number, name: string, type: string, value: string): Promise<void> {
    const field = (label: string) => this.dialog.getByLabel(label, { exact: true }).nth(index);
    await field('Name').fill(name);
    await field('Type').selectOption(type);
    const control = field('Value');
    if (type === 'Boolean') await control.selectOption(value);
    else await control.fill(value);
  }

  /** Fills in the value of a property that the form has. */
  async setProperty(name: string, value: string): Promise<void> {
    const names = this.dialog.getByLabel('Name', { exact: true });
    await names.first().waitFor();
    const all = await names.evaluateAll((inputs) =>
      inputs.map((input) => (input as HTMLInputElement).value),
    );
    await this.dialog.getByLabel('Value', { exact: true }).nth(all.indexOf(name)).fill(value);
  }

  /** The error at a field of the form; empty, if there is none. */
  async fieldError(label: string, index = 0): Promise<string> {
    const field = this.dialog.getByLabel(label, { exact: true }).nth(index);
    const id = await field.getAttribute('aria-describedby');
    return id === null ? '' : this.page.locator(`#${id}`).innerText();
  }

  /** The rows that are in the document: those in sight, and some around them. */
  async grid(): Promise<GridText> {
    const [columns = [], ...rows] = await this.page.getByRole('grid').evaluate((grid) => {
      const all = Array.from(grid.querySelectorAll<HTMLElement>('[role=row]'));
      const numberOf = (row: HTMLElement) => Number(row.ariaRowIndex);
      return all
        .sort((a, b) => numberOf(a) - numberOf(b))
        .map(({ children: [, ...cells] }) =>
          cells.map((cell) => (cell as HTMLElement).innerText.trim().replace(/\s+/g, ' ')),
        );
    });
    const names = columns.map((column) => column.split(' ')[0]!);
    return {
      columns,
      rows: rows.map((cells) => Object.fromEntries(cells.map((text, at) => [names[at], text]))),
    };
  }

  /** The texts of one column. */
  async column(name: string): Promise<string[]> {
    return (await this.grid()).rows.map((row) => row[name]!);
  }
}

export function hasFocus(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => element === document.activeElement);
}
