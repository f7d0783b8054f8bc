import { afterEach, describe, expect, it, vi } from 'vitest';

import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { tableError } from '../support/rejection.js';

describe('IndexedDB on a platform without it', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('fails at its first use, by name and with the cause', async () => {
    const error = await tableError(indexedDbStorage('none').read({ keys: [] }));

    expect(error.code).toBe('StorageUnavailable');
    expect(error.statusCode).toBe(503);
    expect(error.cause).toBeInstanceOf(ReferenceError);
  });

  it('refuses a commit, for nothing can have been stored', async () => {
    const { outcome, cause } = await indexedDbStorage('none').commit({
      expect: [],
      puts: [['log/1', Uint8Array.of(1)]],
      deletes: [],
    });

    expect(outcome).toBe('refused');
    expect(cause).toMatchObject({ code: 'StorageUnavailable' });
  });

  it('closes, and reports that it cannot remove', async () => {
    const storage = indexedDbStorage('none');

    await storage.close();

    expect((await tableError(storage.destroy())).code).toBe('StorageUnavailable');
  });

  it('reports the same if it is denied', async () => {
    const denied = new DOMException('denied', 'SecurityError');
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw denied;
      },
    });

    const error = await tableError(indexedDbStorage('denied').read({ keys: ['log/base'] }));

    expect(error.code).toBe('StorageUnavailable');
    expect(error.cause).toBe(denied);
  });
});
