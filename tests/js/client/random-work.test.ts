// Random work of several accounts on one storage, beside a plain model: every answer is compared.

import { describe, inject, it } from 'vitest';

import { placeOn } from '../support/model/openers.js';
import { liveAtRandom } from '../support/model/work.js';
import { testSeed } from '../support/random-numbers.js';
import { STORAGES } from '../support/storages.js';

const seed = testSeed();
const rounds = inject('modelRounds');

describe.each(STORAGES)('accounts over $adapter storage', ({ open }) => {
  it(
    `agree with a model, in ${rounds} lives from seed ${seed} on`,
    { timeout: 30_000 + rounds * 5000 },
    async () => {
      await liveAtRandom(seed, rounds, () => {
        const storage = open();
        return placeOn(() => storage);
      });
    },
  );
});
