// Worlds in which one request fails: the replicas and the cloud become equal all the same, and no
// write is lost. Only two worlds have the same script, because rare things need many scripts: in
// every sixth one, a row stays deleted that others have had.

import { inject, it, onTestFinished, vi } from 'vitest';

import { randomNumbers, testSeed } from '../support/random-numbers.js';
import { randomScript } from '../support/sync-worlds/script.js';
import { FATES, liveThrough } from '../support/sync-worlds/world.js';

const first = testSeed();
const worlds = inject('syncWorlds');
const STEPS = 20;
const WORLDS_OF_SCRIPT = 2;

it(
  `come to the same end, in ${worlds} worlds from seed ${first} on`,
  { timeout: 30_000 + worlds * 1000 },
  async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    let left = worlds;
    for (let seed = first; left > 0; seed++) {
      const below = randomNumbers(seed);
      const steps = randomScript(below, STEPS);
      const live = (fault?: Parameters<typeof liveThrough>[1]) =>
        liveThrough(steps, fault).catch((error: Error) => {
          const script = steps.map((step) => JSON.stringify(step)).join('\n');
          error.message = `ENTITABLE_SEED=${seed} ${JSON.stringify(fault)}: ${error.message}\n${script}`;
          throw error;
        });
      const requests = await live();
      for (let world = 0; world < WORLDS_OF_SCRIPT && left-- > 0; world++) {
        await live({ request: 1 + below(requests), fate: FATES[below(FATES.length)]! });
      }
    }
  },
);
