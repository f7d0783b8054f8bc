/**
 * Carries out `aggregate`. It is loaded at its first use.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import type { AccountSession } from '../core/account-session.js';
import type { Aggregate, AggregateOptions, Aggregates } from '../entity/aggregates.js';
import { wireName } from '../entity/json.js';
import { orderText } from '../entity/operations.js';
import { readEntities } from '../entity/reader.js';

/** Returns the groups. The caller has checked the options. */
export async function aggregate(
  session: Pick<AccountSession, 'request'>,
  table: string,
  { filter, dialect, fresh, groupBy = [], abortSignal }: AggregateOptions,
  select: Aggregates,
): Promise<object[]> {
  const groups = groupBy.map((term) => term.trim().replace(/\s.*/, ''));
  const aggregates = Object.entries(select);
  for (const [name] of aggregates) {
    if (groups.includes(name)) {
      throw invalidInput(`The options groupBy and select of aggregate both have ${shown(name)}.`);
    }
  }
  const operation = {
    kind: 'queryGroups',
    table,
    filter,
    dialect,
    fresh,
    orderBy: orderText(groupBy),
    aggregates: aggregates.map(([name, one]) => textOf(name, one)).join(),
  } as const;
  let rows: Record<string, unknown>[] = [];
  await session.request(operation, abortSignal, (body) => (rows = readEntities(body)));
  const names = [...groups, ...aggregates.map(([name]) => name)];
  const places = [...groups.map((_, at) => `g${at}`), ...aggregates.map((_, at) => `a${at}`)];
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[places[at]!]])));
}

// JavaScript may pass any value.
function textOf(at: string, one: Aggregate): string {
  if (!isObject(one) || typeof one.function !== 'string') {
    throw invalidInput(
      `The option select.${at} of aggregate must be count(), sum(), avg(), min() or max(), not ` +
        `${shown(one)}.`,
    );
  }
  return one.name === undefined ? one.function : `${one.function} ${wireName(`${one.name}`)}`;
}
