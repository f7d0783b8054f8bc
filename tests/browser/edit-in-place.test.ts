import { describe, expect, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { useBrowser } from './support/browser.js';
import { DemoPage } from './support/demo-page.js';
import { eventually } from './support/form-page.js';
import { focusPlace, gridCell, importCsv } from './support/grid.js';

const browser = useBrowser();

async function visitPets(): Promise<DemoPage> {
  const demo = await browser.visit();
  await importCsv(demo, 'pets.csv', ['Age,Name', '7,Rex', '4,Tom']);
  return demo;
}

const editor = (demo: DemoPage) => demo.page.getByRole('form', { name: 'Edit the value' });
const value = (demo: DemoPage) =>
  editor(demo).locator('.field').first().locator('input, textarea, select');
/** Chooses another type for the value. */
async function chooseType(demo: DemoPage, type: string): Promise<void> {
  await demo.page.keyboard.press('F2');
  await editor(demo).getByRole('combobox', { name: 'Type' }).selectOption(type);
}

async function remove(demo: DemoPage): Promise<void> {
  await demo.page.keyboard.press('F2');
  await editor(demo).getByRole('button', { name: 'Remove' }).click();
}

const error = (demo: DemoPage) => editor(demo).locator('.field-error').first();

/** Opens the editor of a cell with a double click. */
async function open(demo: DemoPage, row: number, column: string): Promise<void> {
  await (await gridCell(demo, row, column)).dblclick();
  await editor(demo).waitFor();
}

describe('a cell', () => {
  it('is changed with the keyboard, and undone', async () => {
    const demo = await visitPets();
    const { keyboard } = demo.page;

    await demo.button('Edit 000001').focus();
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await editor(demo).waitFor();
    expect(await value(demo).inputValue()).toBe('Rex');
    await isAccessible(demo.page);
    await keyboard.type('Max');
    await keyboard.press('Enter');
    await eventually(() => demo.column('Name')).toEqual(['Max', 'Tom']);
    await eventually(() => focusPlace(demo)).toEqual({ row: 1, column: 'Name' });

    await demo.page.getByText('000001 was saved.').first().waitFor();
    await demo.button('Undo').click();
    await eventually(() => demo.column('Name')).toEqual(['Rex', 'Tom']);

    // Escape leaves it as it is.
    await keyboard.press('F2');
    await editor(demo).waitFor();
    await keyboard.type('x');
    await keyboard.press('Escape');
    await editor(demo).waitFor({ state: 'hidden' });
    expect(await demo.column('Name')).toEqual(['Rex', 'Tom']);
    expect(await focusPlace(demo)).toEqual({ row: 0, column: 'Name' });
  });

  it('takes a value of each type', async () => {
    const demo = await visitPets();
    const cases = [
      ['Int32', '-5', '-5'],
      ['Int64', '9007199254740993', '9,007,199,254,740,993'],
      ['Double', '7', '7.0'],
      ['Boolean', 'true', 'true'],
      ['DateTime', '2024-02-29T12:30:01', '2024-02-29 12:30:01'],
      ['Guid', 'a455c695-df98-5678-aaaa-81d3367e5a34', 'a455c695-df98-5678-aaaa-81d3367e5a34'],
      ['Binary', '3q2+7w==', 'de ad be ef (4 bytes)'],
      ['String', 'a "quoted" word', 'a "quoted" word'],
    ] as const;
    for (const [type, text, shown] of cases) {
      await open(demo, 1, 'Age');
      await chooseType(demo, type);
      if (type === 'Boolean') await value(demo).selectOption(text);
      else await value(demo).fill(text);
      await value(demo).press('Enter');
      await eventually(() => demo.column('Age')).toEqual(['7', shown]);
    }
    expect((await demo.grid()).columns.find((column) => column.startsWith('Age'))).toContain(
      'Binary',
    );
  });

  it('shows the error of the service, and keeps what was typed', async () => {
    const demo = await visitPets();

    await open(demo, 0, 'Age');
    await value(demo).fill('many');
    await demo.page.keyboard.press('Enter');
    await eventually(() => error(demo).innerText()).toMatch(/^InvalidInput .* which is not an? /);
    expect(await value(demo).inputValue()).toBe('many');
    await isAccessible(demo.page);
    await chooseType(demo, 'String');
    await value(demo).press('Enter');
    await eventually(() => demo.column('Age')).toEqual(['many', '4']);
  });

  it('loses its property, which undo brings back, and gets one', async () => {
    const demo = await visitPets();

    await open(demo, 0, 'Age');
    await remove(demo);
    await eventually(() => demo.column('Age')).toEqual(['', '4']);
    expect(await demo.column('Name')).toEqual(['Rex', 'Tom']);
    await demo.button('Undo').click();
    await eventually(() => demo.column('Age')).toEqual(['7', '4']);

    await open(demo, 0, 'Age');
    await remove(demo);
    await eventually(() => demo.column('Age')).toEqual(['', '4']);
    await open(demo, 0, 'Age');
    // The type of the column.
    await editor(demo).getByRole('button', { name: 'Type: Int32' }).waitFor();
    await value(demo).fill('8');
    await demo.page.keyboard.press('Enter');
    await eventually(() => demo.column('Age')).toEqual(['8', '4']);
  });

  it('tells a conflict, and loses neither value', async () => {
    const demo = await visitPets();
    const other = new DemoPage(await demo.page.context().newPage());
    await other.page.goto(demo.page.url());

    await open(demo, 0, 'Name');
    await value(demo).fill('Mine');
    await open(other, 0, 'Name');
    await value(other).fill('Theirs');
    await other.page.keyboard.press('Enter');
    await eventually(() => other.column('Name')).toEqual(['Theirs', 'Tom']);

    await demo.page.keyboard.press('Enter');
    await eventually(() => error(demo).innerText()).toMatch(
      /^UpdateConditionNotSatisfied .*The value is now Theirs \(String\)/,
    );
    expect(await value(demo).inputValue()).toBe('Mine');
    expect(await other.column('Name')).toEqual(['Theirs', 'Tom']);
    await demo.page.keyboard.press('Enter');
    await eventually(() => other.column('Name')).toEqual(['Mine', 'Tom']);
    await eventually(() => demo.column('Name')).toEqual(['Mine', 'Tom']);
    await demo.button('Undo').click();
    await eventually(() => demo.column('Name')).toEqual(['Theirs', 'Tom']);
  });

  it('is saved by Enter, which moves down, and by Tab, which moves to the side', async () => {
    const demo = await visitPets();
    const { keyboard } = demo.page;
    await (await gridCell(demo, 0, 'Age')).focus();
    await keyboard.press('8');
    await editor(demo).waitFor();
    await keyboard.press('Tab');
    await eventually(() => focusPlace(demo)).toEqual({ row: 0, column: 'Name' });
    await keyboard.press('Enter');
    await editor(demo).waitFor();
    await keyboard.type('Max');
    await keyboard.press('Shift+Tab');
    await eventually(() => focusPlace(demo)).toEqual({ row: 0, column: 'Age' });
    await keyboard.press('9');
    await editor(demo).waitFor();
    await keyboard.press('Enter');
    await eventually(() => focusPlace(demo)).toEqual({ row: 1, column: 'Age' });
    await eventually(() => demo.column('Age')).toEqual(['9', '4']);
    expect(await demo.column('Name')).toEqual(['Max', 'Tom']);

    // A click elsewhere saves, too.
    await keyboard.press('5');
    await editor(demo).waitFor();
    await demo.heading('Pets').click();
    await (await gridCell(demo, 0, 'Name')).click();
    await eventually(() => demo.column('Age')).toEqual(['9', '5']);
  });

  it('has its editor exactly in its place, and a text of several lines gets more', async () => {
    const demo = await visitPets();
    const cell = await gridCell(demo, 0, 'Name');
    await open(demo, 0, 'Name');
    const [inside, outside] = [await editor(demo).boundingBox(), await cell.boundingBox()];
    expect(Math.abs(inside!.width - outside!.width)).toBeLessThanOrEqual(2);
    expect(Math.abs(inside!.height - outside!.height)).toBeLessThanOrEqual(2);
    expect(Math.abs(inside!.y - outside!.y)).toBeLessThanOrEqual(2);

    await value(demo).fill('one');
    await value(demo).press('Alt+Enter');
    await demo.page.keyboard.type('two');
    await value(demo).press('Shift+Enter');
    await demo.page.keyboard.type('three');
    expect(await value(demo).inputValue()).toBe('one\ntwo\nthree');
    expect((await editor(demo).boundingBox())!.height).toBeGreaterThan(2 * outside!.height);
    await isAccessible(demo.page);
    await value(demo).press('Enter');
    await eventually(() => demo.column('Name')).toEqual(['one two three', 'Tom']);
  });

  it('with a date keeps all its digits, unless the date is changed', async () => {
    const demo = await browser.visit();
    const born = '2024-02-29 12:30:00.1234567';
    await importCsv(demo, 'dogs.csv', ['Born,Good', `${born},true`]);
    await open(demo, 0, 'Born');
    expect(await value(demo).getAttribute('type')).toBe('datetime-local');
    expect(await value(demo).inputValue()).toBe('2024-02-29T12:30:00.123');
    await value(demo).press('Enter');
    await editor(demo).waitFor({ state: 'hidden' });
    expect(await demo.column('Born')).toEqual([born]);

    await open(demo, 0, 'Born');
    await value(demo).fill('2024-02-28T12:30:00.5');
    await value(demo).press('Enter');
    await eventually(() => demo.column('Born')).toEqual(['2024-02-28 12:30:00.5']);

    // A letter chooses a truth value.
    await (await gridCell(demo, 0, 'Good')).focus();
    await demo.page.keyboard.press('f');
    await eventually(() => value(demo).inputValue()).toBe('false');
    await value(demo).press('Enter');
    await eventually(() => demo.column('Good')).toEqual(['false']);
  });

  it('of the keys and of the timestamp cannot be changed', async () => {
    const demo = await visitPets();
    for (const column of ['PartitionKey', 'Timestamp']) {
      await (await gridCell(demo, 0, column)).dblclick();
      await demo.page.keyboard.press('Enter');
      await demo.page.keyboard.press('F2');
    }
    expect(await editor(demo).count()).toBe(0);
    expect(await demo.dialog.count()).toBe(0);
  });
});
