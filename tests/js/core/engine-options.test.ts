import { expect, test } from 'vitest';

import { loadPageModule } from '../support/modules.js';

test('no engine is made with options that it cannot work with', async () => {
  const module = await loadPageModule();
  const make = (account: string, baseUrl: string, random: Uint8Array, cacheBytes: number) => () =>
    new module.Engine(account, baseUrl, random, false, cacheBytes, Infinity).delete();
  const random = new Uint8Array(32).fill(1);

  expect(make('acct', 'http://a', random, 2 ** 30)).not.toThrow();
  expect(make('acct', 'http://a', random, 2 ** 30 + 1)).toThrow('cache_bytes');
  expect(make('Acct', 'http://a', random, 0)).toThrow('EngineOptions::account');
  expect(make('acct', 'http://a/', random, 0)).toThrow('EngineOptions::base_url');
  expect(make('acct', 'http://a', new Uint8Array(32), 0)).toThrow('EngineOptions::session');
});
