/**
 * The queries of a table that the browser remembers: the last ones, and those with a name.
 *
 * @module
 */

import { stateOf, textOf, type QueryState } from './explorer/view-state.js';
import { readSaved, writeSaved } from './saved.js';

const MOST_RECENT = 10;

/** Queries as the text of an address: the last one first, and those with names. */
interface Queries {
  readonly recent: readonly string[];
  readonly named: Readonly<Record<string, string>>;
}

const NONE: Queries = { recent: [], named: {} };
const keyOf = (table: string) => `queries/${table}`;

export function queriesOf(table: string): Queries {
  return readSaved(keyOf(table), NONE);
}

/** Remembers what was asked, unless it was every entity. */
export function remember(table: string, query: QueryState): void {
  const text = textOf(query);
  if (!text) return;
  const { recent, ...rest } = queriesOf(table);
  const others = recent.filter((one) => one !== text);
  writeSaved(keyOf(table), { ...rest, recent: [text, ...others].slice(0, MOST_RECENT) });
}

/** Gives a query a name. */
export function saveQuery(table: string, name: string, query: QueryState): void {
  const { named, ...rest } = queriesOf(table);
  writeSaved(keyOf(table), { ...rest, named: { ...named, [name]: textOf(query) } });
}

export function forgetQuery(table: string, name: string): void {
  const { named, ...rest } = queriesOf(table);
  const others = Object.entries(named).filter(([one]) => one !== name);
  writeSaved(keyOf(table), { ...rest, named: Object.fromEntries(others) });
}

/** A query in words. */
export function wordsOf(text: string): string {
  const { filter, sort, search } = stateOf(text);
  const order = sort && `by ${sort.name}${sort.isDescending ? ' descending' : ''}`;
  const words = search && `“${search.words}” in ${search.property}`;
  return [filter, words, order].filter(Boolean).join(' · ') || 'every entity';
}
