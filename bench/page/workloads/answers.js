// answers.js - aggregates over all entities, and searches for words.

import { FOUND_TOP, eachEntity, isFound, searchFor } from '../dataset.js';
import { below, randomFrom } from '../random.js';
import { meanMicroseconds, medianMs, timed, warmUp } from './timing.js';

const SEARCHES = 1000;
// Others, which come first, unmeasured.
const SEARCHES_BEFORE = 100;

export async function aggregates(adapter, command) {
  const extremesMs = await medianMs(() => adapter.extremes(), command);
  const totalMs = await medianMs(() => adapter.total(), command);
  return { extremesMs, totalMs };
}

/** Builds the index of words. Before that, searches without one, if the engine can. */
export async function words(adapter, command) {
  if (!adapter.search) return {};
  const [wanted] = wantedOf(command);
  const unindexed = adapter.searchesUnindexed && {
    unindexedSearchMs: await medianMs(() => search(adapter, wanted), command),
  };
  const wordsIndexMs = await timed(() => adapter.indexWords());
  return { ...unindexed, wordsIndexMs };
}

/** With the index, which is removed at the end. */
export async function searches(adapter, command) {
  if (!adapter.search) return {};
  const wanted = wantedOf(command);
  const { length } = await search(adapter, wanted[0]);
  if (length !== expectedOf(wanted[0], command)) {
    throw new Error('a search has not found all entities');
  }
  const one = (words) => search(adapter, words);
  await warmUp(wanted.slice(0, SEARCHES_BEFORE), one, command);
  const searchUs = await meanMicroseconds(wanted.slice(SEARCHES_BEFORE), one);
  await adapter.unindex();
  return { searchUs };
}

async function search(adapter, words) {
  const found = await adapter.search(words);
  const isRight = found.length > 0 && found.every((entity) => isFound(entity, words));
  if (!isRight) throw new Error(`the search for ${words} is wrong`);
  return found;
}

// The searches for random entities, so that each finds something.
function wantedOf({ count, values, round }) {
  const random = randomFrom(400 + round);
  const numbers = new Set();
  const most = Math.min(SEARCHES_BEFORE + SEARCHES, count);
  while (numbers.size < most) numbers.add(below(count, random));
  const wanted = [];
  let at = 0;
  for (const entity of eachEntity(count, values)) {
    if (numbers.has(at++)) wanted.push(searchFor(entity));
  }
  return wanted;
}

// How many entities a search must return.
function expectedOf(words, { count, values }) {
  let number = 0;
  for (const entity of eachEntity(count, values)) if (isFound(entity, words)) number++;
  return Math.min(number, FOUND_TOP);
}
