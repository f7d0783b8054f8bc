/**
 * Carries out `search`. It is loaded at its first use.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { shown } from '../base/shown.js';
import { wireName } from '../entity/json.js';
import { selectText } from '../entity/operations.js';
import type { SearchOptions, SearchResult } from '../entity/search.js';
import type { TableRequests } from './table-requests.js';

/** The table that is searched. */
type SearchedTable = Pick<TableRequests, 'name' | 'checkNames' | 'read'>;

const DEFAULT_TOP = 20;

/** Returns the entities, the best first. The caller has checked the options. */
export async function search(
  table: SearchedTable,
  property: string,
  text: string,
  { filter, dialect, select, top = DEFAULT_TOP, match, fresh, abortSignal }: SearchOptions,
): Promise<SearchResult<object>[]> {
  // JavaScript may pass any value.
  for (const [name, given] of Object.entries({ property, text })) {
    if (typeof given === 'string') continue;
    throw invalidInput(`The argument ${name} of search must be a string, not ${shown(given)}.`);
  }
  table.checkNames([property]);
  const operation = {
    kind: 'querySearch',
    table: table.name,
    property: wireName(property),
    search: text,
    anyWord: match === 'any',
    filter,
    dialect,
    select: selectText(select),
    top: `${top}`,
    fresh,
    asValues: true,
  } as const;
  const { entities, answer } = await table.read(operation, abortSignal, { select });
  const scores = answer.scores?.split(',') ?? [];
  return entities.map((entity, at) => ({ entity, score: Number(scores[at]) }));
}
