/**
 * Carries out `search`. It is loaded at its first use.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import type { AbortSignalLike } from '../base/platform.js';
import { shown } from '../base/shown.js';
import type { Operation } from '../core/frames.js';
import type { EdmTypes } from '../entity/edm.js';
import type { GetTableEntityOptions } from '../entity/models.js';
import { selectText } from '../entity/operations.js';
import type { FormOf } from '../entity/reader.js';
import type { SearchOptions, SearchResult } from '../entity/search.js';
import {
  BINARY,
  BOOLEAN,
  DATE_TIME,
  DOUBLE,
  INT32,
  INT64,
  STRING,
} from '../entity/type-numbers.js';
import type { Found } from '../live/followed-table.js';
import type { LocalRequests } from './entity-requests.js';

/** The table that is searched. */
interface SearchedTable extends Pick<LocalRequests, 'name' | 'textName'> {
  read<T extends object>(
    operation: Operation,
    abortSignal: AbortSignalLike | undefined,
    options: GetTableEntityOptions,
    formOf?: FormOf,
  ): Found<T> | Promise<Found<T>>;
}

const DEFAULT_TOP = 20;

/** Returns the entities, the best first. The caller has checked the options. */
export async function search(
  table: SearchedTable,
  property: string,
  text: string,
  options: SearchOptions,
): Promise<SearchResult<object>[]> {
  const { filter, dialect, select, top = DEFAULT_TOP, match, fresh, typed, abortSignal } = options;
  // JavaScript may pass any value.
  for (const [name, given] of Object.entries({ property, text })) {
    if (typeof given === 'string') continue;
    throw invalidInput(`The argument ${name} of search must be a string, not ${shown(given)}.`);
  }
  const operation = {
    kind: 'querySearch',
    table: table.name,
    property: table.textName(property),
    search: text,
    anyWord: match === 'any',
    filter,
    dialect,
    select: selectText(select),
    top: `${top}`,
    fresh,
    asValues: true,
  } as const;
  const form = typed ? typedValue : undefined;
  const { entities, answer } = await table.read(operation, abortSignal, { select, typed }, form);
  const scores = answer.scores?.split(',') ?? [];
  return entities.map((entity, at) => ({ entity, score: Number(scores[at]) }));
}

const TYPES: Readonly<Record<number, EdmTypes>> = {
  [STRING]: 'String',
  [INT32]: 'Int32',
  [INT64]: 'Int64',
  [DOUBLE]: 'Double',
  [BOOLEAN]: 'Boolean',
  [DATE_TIME]: 'DateTime',
  [BINARY]: 'Binary',
};

// As with the option `typed` of other reads. Some values name their types already: a Guid does.
function typedValue(value: unknown, kind: number): unknown {
  const type = TYPES[kind];
  const isNamed = isObject(value) && 'type' in value;
  return type === undefined || isNamed ? value : { type, value };
}
