// The random work of clients of an account over several, whose number changes meanwhile.

import { inject, it } from 'vitest';

import type { TableServiceClient } from '../../../../js/src/client/table-service-client.js';
import { remoteAccount } from '../../../../js/src/remote.js';
import type { Place } from '../../support/model/openers.js';
import { liveAtRandom } from '../../support/model/work.js';
import { testSeed } from '../../support/random-numbers.js';
import { BASE_URL, openSharded } from '../../support/shards.js';

const seed = testSeed();
const rounds = inject('modelRounds');
const SIZES = [1, 2, 3, 5];

async function placeOverShards(): Promise<Place> {
  const { router, reshard } = await openSharded(2);
  let to: number | undefined;
  return {
    open: () => {
      const account = remoteAccount({
        url: BASE_URL,
        // What is busy stays so until the next step.
        retries: 0,
        fetch: (url, { signal: _, ...init }) => router(new Request(url, init as RequestInit)),
      });
      const opened = Object.assign(account, { close: () => Promise.resolve() });
      return Promise.resolve({
        account: opened as unknown as TableServiceClient,
        mortal: undefined,
      });
    },
    move: async (size) => {
      to ??= SIZES[size]!;
      const { state } = (await (await reshard('POST', to)).json()) as { state?: string };
      if (state === undefined) to = undefined;
      return to === undefined ? 'moved' : 'moving';
    },
    destroy: () => Promise.resolve(),
  };
}

it(
  `clients agree with a model, in ${rounds} lives from seed ${seed} on`,
  { timeout: 30_000 + rounds * 10_000 },
  async () => {
    await liveAtRandom(seed, rounds, placeOverShards);
  },
);
