/**
 * Why a filter may have found nothing: a misspelt name, or a literal of another type.
 *
 * @module
 */

import { nearestName } from '../base/nearest.js';
import { shown } from '../base/shown.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import { wireName } from '../entity/json.js';
import { constantComparisons, unknownIn } from '../warnings/findings.js';
import type { TypesAnswer } from '../warnings/models.js';
import type { QueryArguments } from './query-usage.js';

/** Returns a line for each name that no entity has, and for each comparison that never holds. */
export async function filterNotes(
  { session }: TableServiceClient,
  { table, filter = '', dialect }: Pick<QueryArguments, 'table' | 'filter' | 'dialect'>,
): Promise<string[]> {
  const { body } = await session.request({ kind: 'queryTypes', table, filter, dialect });
  const types = JSON.parse(body!) as TypesAnswer;
  const unknown = unknownIn(types);
  const known = types.properties.map(({ name }) => name).filter((name) => !unknown.includes(name));
  const constant = constantComparisons(table, filter, types);
  return [
    ...unknown.map((name) => missingNote('no entity has', name, known)),
    ...constant.map(({ warning }) => `Note: ${warning.message}`),
  ];
}

/**
 * Says that entities do not have a property.
 *
 * @param none - which entities: "no entity has".
 * @param others - names that some of them have.
 */
export function missingNote(none: string, name: string, others: readonly string[]): string {
  const nearest = nearestName(name, others);
  const hint = nearest === undefined ? '' : ` Did you mean ${shown(wireName(nearest))}?`;
  return `Note: ${none} the property ${shown(wireName(name))}.${hint}`;
}
