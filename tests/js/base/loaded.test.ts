import { expect, it, onTestFinished, vi } from 'vitest';

import { loaded } from '../../../js/src/base/loaded.js';
import { tableError } from '../support/rejection.js';

it('a script that cannot be loaded is no fault of the account', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module');

  const error = await tableError(loaded(Promise.reject(cause), { stored: 0 }));

  expect(error).toMatchObject({ code: 'ScriptNotLoaded', statusCode: 503, details: { stored: 0 } });
  expect(error.cause).toBe(cause);
  expect(error.message).toContain('account is not affected');
});

it('a script that a service worker may not load is in an entry of its own', async () => {
  vi.stubGlobal('ServiceWorkerGlobalScope', class {});
  onTestFinished(() => void vi.unstubAllGlobals());

  const error = await tableError(loaded(Promise.reject(new TypeError('import() is disallowed'))));

  expect(error.message).toContain('entitable/service-worker');
});
