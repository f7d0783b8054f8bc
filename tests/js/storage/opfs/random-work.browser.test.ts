// The random work of accounts on one store in OPFS: each in a worker, as in a tab. Some are killed.

import { inject, it, onTestFinished } from 'vitest';

import { openAccount } from '../../../../js/src/index.js';
import { opfsStorage } from '../../../../js/src/storage/opfs.js';
import type { Fate, Mortal, Place } from '../../support/model/openers.js';
import { liveAtRandom } from '../../support/model/work.js';
import { freshStore } from '../../support/opfs/workers.js';
import { testSeed } from '../../support/random-numbers.js';

const seed = testSeed();
const rounds = Math.ceil(inject('modelRounds') / 2);

const startWorker = () =>
  new Worker(new URL('../../support/worker/worker.ts', import.meta.url), { type: 'module' });

/** A worker that is killed after so many turns of the event loop, whatever it does. */
class MortalWorker implements Mortal {
  readonly #worker: Worker;
  #turns = new MessageChannel();
  #death: Promise<void> | undefined;
  isDead = false;

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  // Every fate of a commit is a death: before it, during it or after it.
  meet(fate: Fate | undefined, turns = 0): void {
    this.#turns.port1.close();
    this.#death = undefined;
    if (fate === undefined) return;
    const { port1, port2 } = (this.#turns = new MessageChannel());
    let left = turns;
    this.#death = new Promise((resolve) => {
      port1.onmessage = () => {
        if (left-- > 0) return port2.postMessage(0);
        this.#worker.terminate();
        this.isDead = true;
        resolve();
      };
    });
    port2.postMessage(0);
  }

  async flushed(): Promise<void> {
    await this.#death;
  }
}

function placeInWorkers(): Place {
  const name = freshStore();
  const workers = new Set<Worker>();
  const open = async (options: object) => {
    const worker = startWorker();
    workers.add(worker);
    onTestFinished(() => worker.terminate());
    const account = await openAccount({ ...options, storage: opfsStorage(name), worker });
    return { worker, account };
  };
  return {
    async open(isMortal, options) {
      const { worker, account } = await open(options);
      return { account, mortal: isMortal ? new MortalWorker(worker) : undefined };
    },
    async destroy() {
      for (const worker of workers) worker.terminate();
      const root = await navigator.storage.getDirectory();
      await root.removeEntry(`entitable-${name}`, { recursive: true });
    },
  };
}

it(
  `accounts in workers agree with a model, in ${rounds} lives from seed ${seed} on`,
  { timeout: 60_000 + rounds * 10_000 },
  async () => {
    await liveAtRandom(seed, rounds, placeInWorkers);
  },
);
