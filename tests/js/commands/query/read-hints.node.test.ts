import { expect, it } from 'vitest';

import { TableError } from '../../../../js/src/base/errors.js';
import { withHints } from '../../../../js/src/commands/query/read-hints.js';

const refused = new TableError('InvalidInput', 'Syntax error.', { statusCode: 400 });
const NAMES = ['Sales', 'Pets'];
const account = {
  async *listTables() {
    for (const name of NAMES) yield await Promise.resolve({ name });
  },
};
const outcomeOf = (filter: string | undefined, error: unknown = refused, table = 'Sale') =>
  withHints(account, { table, filter }, () => Promise.reject(error as Error)).catch(
    (thrown: unknown) => thrown,
  );

it.each([
  ['price=3', 'write eq instead of =.'],
  ['price == 3', 'write eq instead of ==.'],
  ["name != 'a=b'", 'write ne instead of !=.'],
  ['price<=3', 'write le instead of <=.'],
  ['price gt 3 && price lt 5', 'write and instead of &&.'],
  ['name eq "Rex"', "a text has single quotes: 'Rex'."],
])('says what to write instead of %s', async (filter, hint) => {
  expect(await outcomeOf(filter)).toMatchObject({
    message: `Syntax error. In a filter, ${hint}`,
  });
});

const missing = new TableError('TableNotFound', 'No table.', { statusCode: 404 });

it('names the table that was probably meant', async () => {
  expect(await outcomeOf(undefined, missing)).toMatchObject({
    message: 'No table. Did you mean "Sales"?',
  });
});

it('leaves other errors as they are', async () => {
  expect(await outcomeOf("name eq 'a=b' and price gee 3")).toBe(refused);
  expect(await outcomeOf(undefined)).toBe(refused);
  expect(await outcomeOf('price=3', missing, 'Cats')).toBe(missing);
  const other = new Error('The disk is full.');
  expect(await outcomeOf('price=3', other)).toBe(other);
});
