import { describe, expect, it } from 'vitest';

import { useBrowser, visitIn } from './support/browser.js';
import { hasFocus, type DemoPage } from './support/demo-page.js';

const browser = useBrowser();

describe('the form of an entity', () => {
  it('adds one with a property of each type', async () => {
    const demo = await visitMovies();

    await demo.button('Add an entity').click();
    await demo.dialog.getByLabel('PartitionKey').fill('Mine');
    await demo.dialog.getByLabel('RowKey').fill('first');
    const properties = [
      ['Text', 'String', 'a "quoted" word'],
      ['Small', 'Int32', '-5'],
      ['Big', 'Int64', '9007199254740993'],
      ['Whole', 'Double', '7'],
      ['Truth', 'Boolean', 'true'],
      ['Moment', 'DateTime', '2024-02-29T12:30:00.1234567Z'],
      ['Identity', 'Guid', 'a455c695-df98-5678-aaaa-81d3367e5a34'],
      ['Bytes', 'Binary', '3q2+7w=='],
    ] as const;
    for (const [index, property] of properties.entries()) {
      if (index > 0) await demo.button('Add a property').click();
      const [name, type, value] = property;
      await demo.fillProperty(index, name, type, value);
    }
    await demo.button('Add').click();
    await demo.dialog.waitFor({ state: 'hidden' });
    await demo.table('Movies', '3,202').waitFor();

    await demo.runFilter("PartitionKey eq 'Mine'");
    await demo.page.getByText(/^1 entity · /).waitFor();
    const { columns, rows } = await demo.grid();
    expect(rows).toMatchObject([
      {
        RowKey: 'first',
        Text: 'a "quoted" word',
        Small: '-5',
        Big: '9,007,199,254,740,993',
        Whole: '7.0',
        Truth: 'true',
        Moment: '2024-02-29 12:30:00.1234567',
        Identity: 'a455c695-df98-5678-aaaa-81d3367e5a34',
        Bytes: 'de ad be ef (4 bytes)',
      },
    ]);
    expect(columns).toEqual(
      expect.arrayContaining(properties.map(([name, type]) => `${name} ${type}`)),
    );
  });

  it('shows the code of the service at each field that is wrong', async () => {
    const demo = await visitMovies();

    await demo.button('Add an entity').click();
    await demo.dialog.getByLabel('PartitionKey').fill('Mine');
    await demo.dialog.getByLabel('RowKey').fill('a/b');
    await demo.fillProperty(0, 'not legal', 'String', 'x');
    await demo.button('Add a property').click();
    await demo.fillProperty(1, 'Long', 'String', 'x'.repeat(32_769));
    await demo.button('Add a property').click();
    await demo.fillProperty(2, 'Count', 'Int32', 'many');
    await demo.button('Add a property').click();
    await demo.fillProperty(3, 'Sound', 'Int32', '1');
    await demo.button('Add').click();

    await demo.dialog.getByRole('alert').filter({ hasText: 'refuses 4 fields' }).waitFor();
    expect(await hasFocus(demo.dialog.getByLabel('RowKey'))).toBe(true);
    expect(await demo.fieldError('RowKey')).toMatch(/^OutOfRangeInput /);
    expect(await demo.fieldError('Name', 0)).toMatch(/^PropertyNameInvalid /);
    expect(await demo.fieldError('Value', 1)).toMatch(/^PropertyValueTooLarge /);
    // The text of the service alone: the form shows which entity it is about.
    expect(await demo.fieldError('Value', 2)).toBe(
      'InvalidInput An error occurred while processing this request.',
    );
    expect(await demo.fieldError('PartitionKey')).toBe('');
    expect(await demo.fieldError('Name', 1)).toBe('');
    expect(await demo.fieldError('Value', 3)).toBe('');

    // Fields that were corrected show no error any more.
    await demo.dialog.getByLabel('RowKey').fill('ab');
    await demo.fillProperty(0, 'Legal', 'String', 'x');
    await demo.fillProperty(1, 'Long', 'String', 'short');
    await demo.fillProperty(2, 'Sound', 'Int32', '12');
    await demo.button('Add').click();
    await demo.dialog.getByRole('alert').filter({ hasText: 'DuplicateProperties' }).waitFor();
    expect(await demo.fieldError('RowKey')).toBe('');
    expect(await demo.fieldError('Name', 3)).toMatch(/^DuplicatePropertiesSpecified /);
  });

  it('shows at the row key that the entity exists already', async () => {
    const demo = await visitMovies();
    const [taken] = await demo.column('RowKey');

    await demo.button('Add an entity').click();
    await demo.dialog.getByLabel('PartitionKey').fill('Action');
    await demo.dialog.getByLabel('RowKey').fill(taken!);
    await demo.button('Add').click();

    await demo.dialog.getByRole('alert').filter({ hasText: 'EntityAlreadyExists' }).waitFor();
    expect(await demo.fieldError('RowKey')).toMatch(/^EntityAlreadyExists /);
  });

  it('replaces an entity, or merges into it', async () => {
    const demo = await visitMovies();
    await demo.runFilter("Title eq 'Titanic'");
    await demo.page.getByText(/^1 entity · /).waitFor();
    const open = async () => {
      await demo.button(/^Edit \d+-titanic$/).click();
      await demo.heading(/^Edit \d+-titanic$/).waitFor();
    };
    const removeAllButOne = async () => {
      const remove = demo.button('Remove this property');
      while ((await remove.count()) > 1) await remove.last().click();
    };

    await open();
    await removeAllButOne();
    await demo.fillProperty(0, 'Title', 'String', 'Titanic, merged');
    await demo.dialog.getByRole('radio', { name: /^Merge/ }).check();
    await demo.button('Save').click();
    await demo.dialog.waitFor({ state: 'hidden' });
    await demo.runFilter("Title eq 'Titanic, merged'");
    await demo.page.getByText(/^1 entity · /).waitFor();
    expect((await demo.grid()).rows).toMatchObject([{ Director: 'James Cameron' }]);

    await open();
    await removeAllButOne();
    await demo.fillProperty(0, 'Title', 'String', 'Titanic, replaced');
    await demo.dialog.getByRole('radio', { name: /^Replace/ }).check();
    await demo.button('Save').click();
    await demo.dialog.waitFor({ state: 'hidden' });
    await demo.runFilter("Title eq 'Titanic, replaced'");
    await demo.page.getByText(/^1 entity · /).waitFor();
    const [{ PartitionKey: _, RowKey: __, Timestamp: ___, ...properties } = {}] = (
      await demo.grid()
    ).rows;
    const values = Object.entries(properties).filter(([, text]) => text !== '');
    expect(values).toEqual([['Title', 'Titanic, replaced']]);
  });

  it('deletes an entity after the user confirms', async () => {
    const demo = await visitMovies();
    await demo.runFilter("Title eq 'Titanic'");
    await demo.page.getByText(/^1 entity · /).waitFor();

    await demo.button(/^Edit \d+-titanic$/).click();
    await demo.button('Delete').click();
    await demo.button('Keep it').click();
    await demo.heading(/^Edit \d+-titanic$/).waitFor();
    await demo.button('Delete').click();
    await demo.dialog
      .filter({ hasText: 'Delete this entity?' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click();

    await demo.page.getByText('No entity matches.').waitFor();
    await demo.table('Movies', '3,200').waitFor();
  });

  it('does not overwrite a change of another tab', async () => {
    const context = await browser.newContext();
    const [one, other] = [await visitIn(context), await visitIn(context)];
    await one.loadMovies();
    await other.page.reload();
    for (const demo of [one, other]) {
      await demo.table('Movies', '3,201').waitFor();
      await demo.runFilter("Title eq 'Titanic'");
      await demo.page.getByText(/^1 entity · /).waitFor();
      await demo.button(/^Edit \d+-titanic$/).click();
      await demo.dialog.waitFor();
    }
    const director = (demo: DemoPage) => demo.dialog.getByLabel('Value', { exact: true }).first();

    await director(one).fill('Somebody');
    await one.button('Save').click();
    await one.dialog.waitFor({ state: 'hidden' });
    await director(other).fill('Somebody else');
    await other.button('Save').click();

    const alert = other.dialog.getByRole('alert');
    await alert.filter({ hasText: 'UpdateConditionNotSatisfied' }).waitFor();
    await other.button('Show the current version').click();
    await expect.poll(() => director(other).inputValue()).toBe('Somebody');
    await director(other).fill('Somebody else');
    await other.button('Save').click();
    await other.dialog.waitFor({ state: 'hidden' });
  });
});

async function visitMovies(): Promise<DemoPage> {
  const demo = await browser.visit();
  await demo.loadMovies();
  await demo.results.waitFor();
  return demo;
}
