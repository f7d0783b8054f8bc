// Where there is no OPFS, or where it cannot be written to.

import { expect, it } from 'vitest';

import { opfsStorage } from '../../../../js/src/storage/opfs.js';
import { errorCode, tableError } from '../../support/rejection.js';

const isBrowser = typeof document !== 'undefined';

it('opfsStorage says what to do', async () => {
  const storage = opfsStorage('elsewhere');

  const { code, message } = await tableError(storage.read({ keys: [] }));

  expect(code).toBe('StorageUnavailable');
  expect(message).toBe(
    isBrowser
      ? 'opfsStorage() works only in a dedicated worker, and this is a page. Call openAccount() with worker: true (if you did, no worker can start), or open the account in a script that a page starts with new Worker(), or use indexedDbStorage() here.'
      : 'There is no origin private file system here. It needs a current browser and a page with HTTPS. Use indexedDbStorage() in other browsers, and fileStorage() in Node, Deno and Bun.',
  );
  const { outcome, cause } = await storage.commit({ expect: [], puts: [], deletes: [] });
  expect(outcome).toBe('refused');
  expect(cause).toMatchObject({ code: 'StorageUnavailable' });
  await storage.close();
});

it('opfsStorage takes only names that it can use', async () => {
  for (const name of [undefined, 1, '\ud800']) {
    const called = Promise.resolve().then(() => opfsStorage(name as string));
    expect(await errorCode(called)).toBe('InvalidInput');
  }
});

it('opfsStorage has the channel of its hints before the first use, so that accounts can read early', () => {
  expect(opfsStorage('my app').channel).toBe('entitable:opfs:entitable-my%20app');
});
