/**
 * The movies by their directors, and by the words of their titles.
 *
 * @module
 */

import { defineTable, t } from 'entitable/schema';

import { movies } from './movies.js';

export const definition = defineTable(
  movies.table,
  {
    partitionKey: t.string(),
    rowKey: t.string(),
    Title: t.string(),
    Director: t.string().optional(),
  },
  { indexes: [['Director'], ['words(Title)']] },
);
