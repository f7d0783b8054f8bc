import { expect, it } from 'vitest';

import { TableError } from '../../../js/src/base/errors.js';
import { withFilterHint } from '../../../js/src/cli/filter-hint.js';

const refused = new TableError('InvalidInput', 'Syntax error.', { statusCode: 400 });
const outcomeOf = (filter: string | undefined, error: unknown = refused) =>
  withFilterHint(filter, () => Promise.reject(error)).catch((thrown: unknown) => thrown);

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

it('leaves other errors as they are', async () => {
  expect(await outcomeOf("name eq 'a=b' and price gee 3")).toBe(refused);
  expect(await outcomeOf(undefined)).toBe(refused);
  const missing = new TableError('TableNotFound', 'No table.', { statusCode: 404 });
  expect(await outcomeOf('price=3', missing)).toBe(missing);
  const other = new Error('The disk is full.');
  expect(await outcomeOf('price=3', other)).toBe(other);
});
