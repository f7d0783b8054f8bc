// Whole browsers, killed while a page writes: docs/concepts/durability.md.

import { setTimeout as after } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { freshProfile, startBrowser } from './support/browser.js';
import { ENGINES } from './support/engines.js';
import { StoryJudge, type Tables } from './support/judge.js';
import { chosenSeed, randomFrom } from './support/random.js';
import { Gone, openSite, type Actor, type Site } from './support/site.js';
import { STORIES, type StoryName } from './support/stories.js';

const ROUNDS = Number(process.env.ENTITABLE_KILL_ROUNDS ?? 3);

// Long enough for folds, merges and an import of several steps.
const LONGEST_LIFE_MS = 2_500;

it.each(ENGINES)(
  `keeps what it acknowledged when %s is killed, ${ROUNDS} times`,
  async (engine) => {
    const seed = chosenSeed();
    const random = randomFrom(seed);
    const totals = { acks: 0, folds: 0, merges: 0, oneMore: 0, parts: 0 };
    const site = await openSite();
    const profile = freshProfile();
    const judges = newJudges();

    for (let round = 0; ; round++) {
      const browser = await startBrowser(engine, profile, [site.url('tab')]);
      const { tab, found } = await readAll(site);
      for (const [story, judge] of judges) {
        const ending = at({ engine, seed, round, story }, () => judge.judge(found));
        if (ending === 'one more') totals.oneMore++;
        if (ending === 'part of an import') totals.parts++;
      }
      if (round === ROUNDS) break;

      // Some of what is killed has to be folds, however slow the machine.
      const leastFolds = round === 0 ? 1 : 0;
      const began = follow(tab, judges, totals, leastFolds);
      const from = [...judges].map(([story, judge]) => [story, judge.number]);
      const over = expect(tab.call('write', Object.fromEntries(from))).rejects.toThrow(Gone);
      await Promise.race([began, over]);
      await after(random() * LONGEST_LIFE_MS);
      await browser.kill();
      await over;
    }

    console.log(`${engine}: seed ${seed}, ${ROUNDS} rounds, ${JSON.stringify(totals)}`);
  },
  // It takes a quarter of that; but other things may run on the machine.
  120_000 + ROUNDS * 60_000,
);

function newJudges(): ReadonlyMap<StoryName, StoryJudge> {
  const stories = Object.keys(STORIES) as StoryName[];
  return new Map(stories.map((story) => [story, new StoryJudge(story)]));
}

// Firefox now and then loads a page anew when it was killed before.
async function readAll(site: Site): Promise<{ tab: Actor; found: Tables }> {
  for (;;) {
    const tab = await site.actor('tab');
    try {
      return { tab, found: await tab.call('readAll') };
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
    }
  }
}

interface Told {
  readonly story: StoryName;
  readonly number: number;
  readonly folds: number;
  readonly merges: number;
}

// Resolves with the first acknowledgement after so many folds.
function follow(
  tab: Actor,
  judges: ReadonlyMap<StoryName, StoryJudge>,
  totals: { acks: number; folds: number; merges: number },
  leastFolds: number,
): Promise<void> {
  let steps = { folds: 0, merges: 0 };
  return new Promise((resolve) => {
    tab.onTold = (told) => {
      const { story, number, folds, merges } = told as Told;
      judges.get(story)!.acknowledge(number);
      totals.acks++;
      totals.folds += folds - steps.folds;
      totals.merges += merges - steps.merges;
      steps = { folds, merges };
      if (folds >= leastFolds) resolve();
    };
  });
}

// So that a failure says how to see it again.
function at<T>(where: object, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new Error(`${JSON.stringify(where)}: ${(cause as Error).message}`, { cause });
  }
}
