// The contract, over a database with the limits of Deno KV.

import { describe, it } from 'vitest';

import { storageContract } from '../../../../js/src/storage/contract.js';
import { denoKvStorage } from '../../../../js/src/storage/deno-kv.js';
import { KvDouble } from '../../support/deno-kv/double.js';

describe('denoKvStorage', () => {
  it.each(storageContract)('$name', { timeout: 60_000 }, ({ run }) =>
    run(() => denoKvStorage(new KvDouble(), 'a'), { maxValueBytes: 65_536 }),
  );
});
