// app.mjs - the section about what apps do with declared tables.

import { numberText } from './figures.mjs';
import { table } from './tables.mjs';

const TRIPS = {
  insert: 'a single insert',
  get: 'a read of one row',
  list: 'a list of 5,200 rows',
  update: 'an update of the array',
};

export function appSection({ rounds, dexie, figures } = {}) {
  if (!figures) return undefined;
  const { dexieTransactions, transactions, plain, encrypted, openings } = figures;
  const { dexieArrays, texts, arrays } = figures;
  const row = (what, first, second) => [
    what,
    ...[first, second, second / first].map((value) => numberText(value)),
  ];
  return `## What apps do

In one page of Chromium, medians of ${rounds} rounds in turns, in microseconds. The last column is
the second figure divided by the first.

${table(
  ['µs', 'first', 'second', 'ratio'],
  [
    row(
      `two rows into two tables: two inserts, and one transaction, of Dexie ${dexie}`,
      dexieTransactions.single,
      dexieTransactions.together,
    ),
    row('the same of Entitable', transactions.single, transactions.together),
    ...Object.entries(TRIPS).flatMap(([name, what]) => [
      row(`${what}: texts, and an array and an object`, texts[name], arrays[name]),
      row(
        'the same rows with an array and an object: Dexie, and Entitable',
        dexieArrays[name],
        arrays[name],
      ),
    ]),
    row('a single insert: plain, and encrypted', plain.insert, encrypted.insert),
    row('20,000 rows from the disk: plain, and encrypted', plain.read, encrypted.read),
    row(
      'an account is opened and a row read: by the name of its table, and declared',
      openings.byName,
      openings.declared,
    ),
  ],
)}`;
}
