// Whole browsers, killed while a page writes: docs/concepts/durability.md.

import { setTimeout as after } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { isWhole, roundsOf } from '../../scripts/test/tier.mjs';
import type { StorageName } from './actor/storages.js';
import { freshProfile, startBrowser } from './support/browser.js';
import { ENGINES, ENGINES_WITH_OPFS, type EngineName } from './support/engines.js';
import { chosenSeed, randomFrom } from './support/random.js';
import { SequenceChecker, type Tables } from './support/sequence-checker.js';
import { SEQUENCES, type SequenceName } from './support/sequences.js';
import { Gone, openSite, type Actor, type Site } from './support/site.js';

const ROUNDS = roundsOf('ENTITABLE_KILL_ROUNDS', { usual: 1, whole: 3 });

// Long enough for flushes, compactions and an import of several steps.
const LONGEST_LIFE_MS = 2_500;

const TARGETS: readonly { engine: EngineName; storage: StorageName }[] = [
  ...ENGINES.map((engine) => ({ engine, storage: 'IndexedDB' as const })),
  ...ENGINES_WITH_OPFS.map((engine) => ({ engine, storage: 'OPFS' as const })),
  // What is above IndexedDB is the same in each engine.
  ...ENGINES.slice(0, isWhole() ? 1 : 0).map((engine) => ({
    ...{ engine, storage: 'encrypted IndexedDB' as const },
  })),
];

it.each(TARGETS)(
  `keeps acknowledged writes in $storage when $engine is killed, ${ROUNDS} times`,
  async ({ engine, storage }) => {
    const seed = chosenSeed();
    const random = randomFrom(seed);
    const totals = { acknowledged: 0, flushes: 0, compactions: 0, oneMore: 0, parts: 0 };
    const site = await openSite();
    const profile = freshProfile();
    const checkers = newCheckers();

    for (let round = 0; ; round++) {
      const browser = await startBrowser(engine, profile, [site.url('tab')]);
      const { tab, found } = await readAll(site, storage);
      for (const [sequence, checker] of checkers) {
        const ending = at({ engine, storage, seed, round, sequence }, () => checker.check(found));
        if (ending === 'one more') totals.oneMore++;
        if (ending === 'part of an import') totals.parts++;
      }
      if (round === ROUNDS) break;

      // At least one writer must have flushed before the kill, on the slowest machine, too.
      const leastFlushes = round === 0 ? 1 : 0;
      const began = follow(tab, checkers, totals, leastFlushes);
      const from = [...checkers].map(([sequence, checker]) => [sequence, checker.number]);
      const over = expect(tab.call('write', Object.fromEntries(from))).rejects.toThrow(Gone);
      await Promise.race([began, over]);
      await after(random() * LONGEST_LIFE_MS);
      await browser.kill();
      await over;
    }

    console.log(`${engine}, ${storage}: seed ${seed}, ${ROUNDS} rounds, ${JSON.stringify(totals)}`);
  },
  // It needs a quarter of that, but other programs may run on the machine.
  120_000 + ROUNDS * 60_000,
);

function newCheckers(): ReadonlyMap<SequenceName, SequenceChecker> {
  const sequences = Object.keys(SEQUENCES) as SequenceName[];
  return new Map(sequences.map((sequence) => [sequence, new SequenceChecker(sequence)]));
}

// After a kill, Firefox sometimes loads a page twice.
async function readAll(site: Site, storage: StorageName): Promise<{ tab: Actor; found: Tables }> {
  for (;;) {
    const tab = await site.actor('tab');
    try {
      if (storage !== 'OPFS') return { tab, found: await tab.call('readAll', storage) };
      await tab.call('startWorker', 'worker');
      const worker = await site.actor('worker');
      return { tab: worker, found: await worker.call('readAll', storage) };
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
    }
  }
}

interface Report {
  readonly sequence: SequenceName;
  readonly number: number;
  readonly flushes: number;
  readonly compactions: number;
}

// Resolves with the first acknowledgement after this number of flushes.
function follow(
  tab: Actor,
  checkers: ReadonlyMap<SequenceName, SequenceChecker>,
  totals: { acknowledged: number; flushes: number; compactions: number },
  leastFlushes: number,
): Promise<void> {
  let steps = { flushes: 0, compactions: 0 };
  return new Promise((resolve) => {
    tab.onReport = (content) => {
      const { sequence, number, flushes, compactions } = content as Report;
      checkers.get(sequence)!.acknowledge(number);
      totals.acknowledged++;
      totals.flushes += flushes - steps.flushes;
      totals.compactions += compactions - steps.compactions;
      steps = { flushes, compactions };
      if (flushes >= leastFlushes) resolve();
    };
  });
}

// Adds to an error how to repeat the run.
function at<T>(where: object, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new Error(`${JSON.stringify(where)}: ${(cause as Error).message}`, { cause });
  }
}
