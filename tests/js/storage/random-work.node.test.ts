// The random work of accounts over storages in databases, each account as in a process of its own.

import { describe, inject, it } from 'vitest';

import { denoKvStorage } from '../../../js/src/storage/deno-kv.js';
import { encryptedStorage } from '../../../js/src/storage/encrypted.js';
import { withMaxValueBytes } from '../../../js/src/storage/max-value-bytes.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';
import { KvDouble } from '../support/deno-kv/double.js';
import { newKey } from '../support/encrypted.js';
import { LimitedStorage } from '../support/limited-storage.js';
import { placeOn } from '../support/model/openers.js';
import { liveAtRandom } from '../support/model/work.js';
import { testSeed } from '../support/random-numbers.js';

const seed = testSeed();
const rounds = Math.ceil(inject('modelRounds') / 2);

const key = await newKey();

const DATABASES: { name: string; open: () => () => PageStorage }[] = [
  {
    name: 'Deno KV',
    open: () => {
      const kv = new KvDouble();
      return () => denoKvStorage(kv, 'a');
    },
  },
  {
    name: 'a database with short values and batches',
    open: () => {
      const [valueBytes, batchBytes] = [1024, 4096];
      const limited = new LimitedStorage({ valueBytes, batchBytes });
      return () => withMaxValueBytes(limited, valueBytes, { maxBatchBytes: batchBytes });
    },
  },
  {
    name: 'an encrypted store',
    open: () => {
      const inner = memoryStorage();
      return () => encryptedStorage(inner, key);
    },
  },
];

describe.each(DATABASES)('accounts over $name', ({ open }) => {
  it(
    `agree with a model, in ${rounds} lives from seed ${seed} on`,
    { timeout: 30_000 + rounds * 10_000 },
    async () => {
      await liveAtRandom(seed, rounds, () => placeOn(open()));
    },
  );
});
