import { expect, it } from 'vitest';

import { useBrowser, visitIn } from './support/browser.js';
import { visitFormIn } from './support/form-page.js';

const browser = useBrowser();

it('the first page says that the rules of the form are enforced, and is held to them', async () => {
  const context = await browser.newContext({ locale: 'en-US' });
  await visitFormIn(context);
  const demo = await visitIn(context);
  const rules = demo.page.getByText(/^The store holds every writer of this table to 13 declared/);
  await rules.waitFor();

  await demo.button('Add an entity').click();
  await demo.dialog.getByLabel('PartitionKey').fill('fish');
  await demo.dialog.getByLabel('RowKey').fill('wanda');
  await demo.fillProperty(0, 'weight', 'Double', '121');
  await demo.button('Add').click();
  await demo.dialog.getByRole('alert').filter({ hasText: 'refuses 2 fields' }).waitFor();
  expect(await demo.fieldError('PartitionKey')).toMatch(/^SchemaViolation /);
  expect(await demo.fieldError('Value')).toMatch(/^SchemaViolation /);

  await demo.button('Cancel').click();
  await demo.page.getByRole('button', { name: /^Load 3,201/ }).click();
  await demo.heading('Movies').waitFor();
  await rules.waitFor({ state: 'hidden' });
});
