// first-screen.mjs - the section about the time until the first screen of an app is there.

import { numberText } from './figures.mjs';
import { table } from './tables.mjs';

const KINDS = {
  cachedList: ['the first list, files cached', 'fromStart'],
  cachedGet: ['the first row by its key, files cached', 'fromStart'],
  newList: ['the first list, nothing cached', 'whole'],
  slowList: ['the same at 1.6 Mbit/s', 'whole'],
};
const LABELS = {
  idb: () => 'IndexedDB by hand',
  dexie: ({ dexie }) => `Dexie ${dexie}`,
  rxdb: ({ rxdb }) => `RxDB ${rxdb} on Dexie`,
  sqlite: ({ sqlite }) => `SQLite ${sqlite} on OPFS`,
  entitable: () => 'Entitable',
};

export function firstScreenSection({ samples, versions, sizes } = {}) {
  if (!sizes) return undefined;
  const [anySize] = Object.values(sizes);
  const stores = Object.keys(LABELS).filter((store) => anySize[store]);
  const rows = Object.entries(sizes).flatMap(([count, figures]) =>
    Object.entries(KINDS).map(([kind, [what, span]]) => [
      `${Number(count).toLocaleString('en-US')} rows: ${what}, ms`,
      ...stores.map((store) => numberText(figures[store]?.[kind][span])),
    ]),
  );
  const bytes = stores.map((store) => numberText(anySize[store].slowList.bytes / 1000));
  return `## First screen

A page of React, built by Vite, shows the first 50 rows in the order of an index, or one row. Every
sample is a new page, the stores take turns, and the figures are medians of ${samples}. With cached
files, the time begins when the script of the page starts. With nothing cached, it begins with the
visit, and at 1.6 Mbit/s each request also waits 150 ms. Files are compressed with gzip. Entitable's
page is built with its [plugin of Vite](../guides/bundlers.md#a-fast-first-read).

${table(
  ['', ...stores.map((store) => LABELS[store](versions))],
  [...rows, ['download until then, with React, KB', ...bytes]],
)}`;
}
