import { afterEach, describe, expect, it, vi } from 'vitest';

import { persistStorage, storageStatus } from '../../../js/src/storage/persistence.js';

afterEach(() => vi.unstubAllGlobals());

function stubStorage(storage: unknown): void {
  vi.stubGlobal('navigator', { storage });
}

describe('storageStatus', () => {
  it('says what the browser says', async () => {
    stubStorage({
      estimate: async () => ({ usage: 5, quota: 10 }),
      persisted: async () => true,
    });

    expect(await storageStatus()).toEqual({ usage: 5, quota: 10, isPersistent: true });
  });

  it('knows nothing where there is no browser', async () => {
    vi.stubGlobal('navigator', undefined);

    expect(await storageStatus()).toEqual({
      usage: undefined,
      quota: undefined,
      isPersistent: false,
    });
  });
});

describe('persistStorage', () => {
  it('asks for it, and says what the answer was', async () => {
    for (const answer of [true, false]) {
      const persist = vi.fn(async () => answer);
      stubStorage({ persist });

      expect(await persistStorage()).toBe(answer);
      expect(persist).toHaveBeenCalledOnce();
    }
  });

  it('gets nothing where nobody can be asked', async () => {
    stubStorage({});

    expect(await persistStorage()).toBe(false);
  });
});
