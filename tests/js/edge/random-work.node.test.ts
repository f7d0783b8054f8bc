// The random work of clients of a Worker whose Durable Object dies now and then.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { inject, it, onTestFinished } from 'vitest';

import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { remoteAccount } from '../../../js/src/remote.js';
import { bundled, startWorker } from '../support/durable-object/workerd.js';
import type { Fate, Mortal, Place } from '../support/model/openers.js';
import { liveAtRandom } from '../support/model/work.js';
import { testSeed } from '../support/random-numbers.js';

const seed = testSeed();
const rounds = Math.ceil(inject('modelRounds') / 2);

const SCRIPT = `
  import { tableWorker } from 'entitable/edge';
  import wasm from 'entitable/entitable.wasm';
  const { TableObject, worker } = tableWorker({ wasm, authorize: () => true });
  class MortalObject extends TableObject {
    constructor(context, env) {
      super(context, env);
      const answer = this.fetch;
      this.fetch = (request) =>
        request.url.includes('/die') ? context.abort() : answer(request);
    }
  }
  export { MortalObject as TableObject, worker as default };`;

it(
  `clients agree with a model, in ${rounds} lives from seed ${seed} on`,
  { timeout: 60_000 + rounds * 20_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'entitable-objects-'));
    const worker = startWorker(await bundled({ contents: SCRIPT }), {
      durableObjectsPersist: folder,
      durableObjects: { TABLES: { className: 'TableObject', useSQLite: true } },
    });
    onTestFinished(async () => {
      await worker.dispose();
      rmSync(folder, { recursive: true, force: true });
    });
    let accounts = 0;

    function placeInObject(): Place {
      const url = `http://localhost/account${accounts++}`;
      let life = { isOver: false };
      const die = async () => {
        life.isOver = true;
        life = { isOver: false };
        await worker.dispatchFetch(`${url}/die`).catch(() => undefined);
      };
      return {
        open() {
          const account = remoteAccount({
            url,
            fetch: (address, { signal: _, ...init }) =>
              worker.dispatchFetch(address, init as object) as unknown as Promise<Response>,
            retries: 0,
          });
          const opened = Object.assign(account, { close: () => Promise.resolve() });
          const mortal = new MortalLife(life, die);
          return Promise.resolve({ account: opened as unknown as TableServiceClient, mortal });
        },
        move: async () => {
          await worker.dispatchFetch(`${url}/die`).catch(() => undefined);
          return 'kept';
        },
        destroy: () => Promise.resolve(),
      };
    }

    await liveAtRandom(seed, rounds, placeInObject);
  },
);

/** All clients of an object see its death. */
class MortalLife implements Mortal {
  readonly #life: { isOver: boolean };
  readonly #die: () => Promise<void>;
  #death: Promise<void> | undefined;

  constructor(life: { isOver: boolean }, die: () => Promise<void>) {
    this.#life = life;
    this.#die = die;
  }

  get isDead(): boolean {
    return this.#life.isOver;
  }

  // The request to die is on its way together with the others.
  meet(fate: Fate | undefined): void {
    if (fate !== undefined) this.#death = this.#die();
  }

  async flushed(): Promise<void> {
    await this.#death;
  }
}
