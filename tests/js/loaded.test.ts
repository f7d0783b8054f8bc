import { expect, it } from 'vitest';

import { loaded } from '../../js/src/loaded.js';
import { tableError } from './support/rejection.js';

it('a script that cannot be loaded is no fault of the account', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module');

  const error = await tableError(loaded(Promise.reject(cause), { stored: 0 }));

  expect(error).toMatchObject({ code: 'ScriptNotLoaded', statusCode: 503, details: { stored: 0 } });
  expect(error.cause).toBe(cause);
  expect(error.message).toContain('account is not affected');
});
