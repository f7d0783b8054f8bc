/**
 * Aggregates with the names of an app. It is loaded at its first use.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import type { Aggregate, AggregateOptions } from '../entity/aggregates.js';
import type { AppNames, RowForm } from '../entity/row-form.js';

/**
 * Calculates aggregates.
 *
 * @param calculate - takes the names under which properties are stored.
 * @throws {@link TableError} `InvalidInput`, if it is to calculate with values that are no numbers.
 */
export async function groupsWith(
  rows: Pick<RowForm, 'names' | 'rulesOf'>,
  options: AggregateOptions,
  calculate: (options: AggregateOptions) => Promise<object[]>,
): Promise<object[]> {
  const { names } = rows;
  const { groupBy, select } = options;
  for (const one of Object.values(select ?? {})) checkNumbers(rows, one);
  const wanted = { groupBy, select };
  return withValues(names, wanted, await calculate({ ...options, ...groupsOf(names, wanted) }));
}

// The core would find no number in them, and a sum would be null.
function checkNumbers(
  { names, rulesOf }: Pick<RowForm, 'names' | 'rulesOf'>,
  // An app in JavaScript may pass anything here, and the aggregates themselves are checked later.
  one: Partial<Aggregate> | null | undefined,
): void {
  const { function: kind = '', name } = one ?? {};
  const rules = rulesOf(name ?? '');
  if (!/^(sum|avg|quantile|histogram)$/.test(kind) || !rules || rules.parted) return;
  const isInKey = names.keys.includes(name!);
  if (!isInKey && /^(Int32|Int64|Double)$/.test(rules.type)) return;
  const what = isInKey ? 'in the key, which is stored as a text' : `of type ${rules.type}`;
  throw invalidInput(`${kind}() calculates with numbers, but property ${shown(name)} is ${what}.`);
}

/** The groups and aggregates of the core, with the stored names of fields of keys. */
function groupsOf(
  names: AppNames,
  { groupBy, select }: Pick<AggregateOptions, 'groupBy' | 'select'>,
): Pick<AggregateOptions, 'groupBy' | 'select'> {
  // Wrong ones are refused later.
  return {
    // As an object, because the results have the names of the app.
    groupBy: Array.isArray(groupBy)
      ? Object.fromEntries(groupBy.map((term: unknown) => [nameOf(term), storedTerm(names, term)]))
      : isObject(groupBy)
        ? mapped(groupBy, (term) => storedTerm(names, term))
        : groupBy,
    select: isObject(select)
      ? mapped(select, (one) => {
          const { name, ...rest } = one as Aggregate;
          return name === undefined ? one : { ...rest, name: names.storedName(name) };
        })
      : select,
  } as Pick<AggregateOptions, 'groupBy' | 'select'>;
}

// Without the direction.
const nameOf = (term: unknown) => String(term).trim().replace(/\s.*/, '');

const mapped = (given: object, map: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value)]));

const TERM = /^(\s*\w+\()?([^\s()]+)/;

const storedTerm = (names: AppNames, term: unknown) =>
  typeof term === 'string'
    ? term.replace(TERM, (_, part = '', name: string) => `${part}${names.storedName(name)}`)
    : term;

/** Gives the groups of a result the values that fields of keys have in rows. */
function withValues(
  names: AppNames,
  { groupBy, select }: Pick<AggregateOptions, 'groupBy' | 'select'>,
  groups: readonly object[],
): object[] {
  const ofGroups: [string, unknown][] = Array.isArray(groupBy)
    ? groupBy.map((term) => [nameOf(term), nameOf(term)])
    : Object.entries(groupBy ?? {});
  const ofValues = Object.entries(select ?? {}).map(
    ([name, one]) => [name, /^(min|max)$/.test(one.function) ? one.name : undefined] as const,
  );
  const fields = [...ofGroups, ...ofValues].filter(([, name]) =>
    names.keys.includes(name as string),
  );
  if (!fields.length) return groups as object[];
  return groups.map((group) => ({
    ...group,
    ...Object.fromEntries(
      fields.map(([at, name]) => [
        at,
        names.valueOf(name as string, (group as Record<string, unknown>)[at]),
      ]),
    ),
  }));
}
