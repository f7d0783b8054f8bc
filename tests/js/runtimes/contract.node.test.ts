// The storage contract in Deno and Bun.

import { beforeAll, describe, expect, it } from 'vitest';

import { storageContract } from '../../../js/src/storage/contract.js';
import { freshFolder } from '../support/file-storages.js';
import { answerOf, RUNTIMES } from '../support/runtimes.js';

const STORAGES = ['memory', 'file'];

describe.each(RUNTIMES.flatMap((runtime) => STORAGES.map((storage) => ({ ...runtime, storage }))))(
  'in $name: $storage',
  ({ command, storage }) => {
    let said: unknown;
    beforeAll(async () => {
      said = await answerOf(command, 'tests/js/support/contract-program.ts', [
        storage,
        freshFolder(),
      ]);
    }, 120_000);

    it.each(storageContract)('$name', ({ name }) => {
      expect(said).toHaveProperty([name], null);
    });
  },
);
