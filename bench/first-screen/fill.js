// fill.js - fills the store of the first screen, once.

import { openStore } from '#store';
import { rowsFrom } from './rows.js';

const ROWS_AT_ONCE = 10_000;

// Rows have an order of their own, and that of their priorities is another one.
globalThis.fill = async (count) => {
  const store = await openStore(count);
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    await store.fill(rowsFrom(from, Math.min(count, from + ROWS_AT_ONCE)));
  }
  await store.end();
};
