/**
 * Why a query may have found nothing: a misspelt name, or values of another type.
 *
 * @module
 */

import { nearestName } from '../../base/nearest.js';
import { shown } from '../../base/shown.js';
import { wireName } from '../../base/system-names.js';
import type { TableServiceClient } from '../../client/table-service-client.js';
import type { AccountSession } from '../../core/account-session.js';
import type { Operation } from '../../core/frames.js';
import { constantComparisons, unknownIn } from '../../warnings/findings.js';
import type { TypesAnswer } from '../../warnings/models.js';
import type { QueryArguments } from './query-usage.js';

/** Returns a line for each name that no entity has, and for each comparison that never holds. */
export async function filterNotes(
  { session }: TableServiceClient,
  { table, filter = '', dialect }: Pick<QueryArguments, 'table' | 'filter' | 'dialect'>,
): Promise<string[]> {
  const types = await typesIn(session, { table, filter, dialect });
  const unknown = unknownIn(types);
  const known = types.properties.map(({ name }) => name).filter((name) => !unknown.includes(name));
  const never = constantComparisons(table, filter, types).filter(
    ({ warning }) => warning.code === 'comparison-never-true',
  );
  return [
    ...unknown.map((name) => missingNote('no entity has', name, known)),
    ...never.map(({ warning }) => `Note: ${warning.message}`),
  ];
}

/** Returns a line if a property that is searched for words has no text in any entity. */
export async function searchNotes(
  { session }: TableServiceClient,
  table: string,
  property: string,
): Promise<string[]> {
  const name = wireName(property);
  const { properties } = await typesIn(session, { table });
  const { types = [] } = properties.find((one) => one.name === name) ?? {};
  if (types.length === 0 || types.includes('Edm.String')) return [];
  const type = types.join(' or ');
  return [`Note: the property ${shown(name)} has the type ${type}; a search reads only Strings.`];
}

async function typesIn(
  session: AccountSession,
  query: Pick<Operation, 'table' | 'filter' | 'dialect'>,
): Promise<TypesAnswer> {
  const { body } = await session.request({ ...query, kind: 'queryTypes' });
  return JSON.parse(body!) as TypesAnswer;
}

/**
 * Says that entities do not have a property.
 *
 * @param subject - which entities, with a verb, such as `no entity has`.
 * @param others - names that some of them have.
 */
export function missingNote(subject: string, name: string, others: readonly string[]): string {
  const nearest = nearestName(name, others);
  const hint = nearest === undefined ? '' : ` Did you mean ${shown(wireName(nearest))}?`;
  return `Note: ${subject} the property ${shown(wireName(name))}.${hint}`;
}
