/**
 * Where the imports of an account are. It stands in a table of its own, which each piece of an
 * import is stored together with, so that an import is never ahead of its rows, nor behind them.
 *
 * @module
 */

import { defineTable } from '../../schema/table-definition.js';
import { t } from '../../schema/types.js';

/** The table. Its rows are of one store and the table that it goes to. */
export const marks = defineTable(
  'EntitableImports',
  {
    database: t.string(),
    store: t.string(),
    table: t.string(),
    /** The key of the last value, as a text; missing before the first. */
    after: t.text().optional(),
    isDone: t.boolean(),
    read: t.int32(),
    stored: t.int32(),
    refused: t.int32(),
  },
  { key: { partition: ['database'], row: ['store', 'table'] } },
);
