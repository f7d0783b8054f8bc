// Random work of several accounts on one storage, beside a plain model: every answer is compared.

import { describe, inject, it } from 'vitest';

import { randomNumbers, testSeed } from '../support/random-numbers.js';
import { workAtRandom } from '../support/model/work.js';
import { STORAGES } from '../support/storages.js';

const first = testSeed();
const rounds = inject('modelRounds');

describe.each(STORAGES)('accounts over $adapter storage', ({ open }) => {
  it(
    `agree with a model, in ${rounds} lives from seed ${first} on`,
    async () => {
      for (let seed = first; seed < first + rounds; seed++) {
        await workAtRandom(randomNumbers(seed), open()).catch((error: Error) => {
          error.message = `ENTITABLE_SEED=${seed}: ${error.message}`;
          throw error;
        });
      }
    },
    30_000 + rounds * 5000,
  );
});
