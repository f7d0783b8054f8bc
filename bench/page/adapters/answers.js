// answers.js - aggregates and searches of the published package.

import { count, max, min, sum } from '../../../dist/index.js';

import { FOUND_TOP } from '../dataset.js';

/** @param table - returns the table that is open. */
export const answersOf = (table) => ({
  groups: () =>
    table().aggregate({ groupBy: ['age'], select: { number: count(), total: sum('score') } }),
  async extremes() {
    const select = { number: count(), least: min('score'), greatest: max('score') };
    const [extremes] = await table().aggregate({ select });
    return extremes;
  },
  async total() {
    const [{ total }] = await table().aggregate({ select: { total: sum('score') } });
    return total;
  },
  searchesUnindexed: true,
  async search(words) {
    const found = await table().search('name', words, { top: FOUND_TOP });
    return found.map(({ entity }) => entity);
  },
});
