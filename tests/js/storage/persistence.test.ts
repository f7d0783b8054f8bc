import { afterEach, describe, expect, it, vi } from 'vitest';

import { persistStorage, storageStatus } from '../../../js/src/storage/persistence.js';

afterEach(() => vi.unstubAllGlobals());

function stubStorage(storage: unknown): void {
  vi.stubGlobal('navigator', { storage });
}

describe('storageStatus', () => {
  it('returns the answer of the browser', async () => {
    stubStorage({
      estimate: async () => ({ usage: 5, quota: 10 }),
      persisted: async () => true,
    });

    expect(await storageStatus()).toEqual({ usage: 5, quota: 10, isPersistent: true });
  });

  it('has no sizes outside of a browser', async () => {
    vi.stubGlobal('navigator', undefined);

    expect(await storageStatus()).toEqual({
      usage: undefined,
      quota: undefined,
      isPersistent: false,
    });
  });
});

describe('persistStorage', () => {
  it('asks for it, and returns the answer', async () => {
    for (const answer of [true, false]) {
      const persist = vi.fn(async () => answer);
      stubStorage({ persist });

      expect(await persistStorage()).toBe(answer);
      expect(persist).toHaveBeenCalledOnce();
    }
  });

  it('returns false if the browser cannot be asked', async () => {
    stubStorage({});

    expect(await persistStorage()).toBe(false);
  });
});
