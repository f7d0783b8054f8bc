/**
 * Turns the core's answer about a filter and the stored types into warnings. The core has the rules
 * of filters, such as which types are compared.
 *
 * @module
 */

import { termsOf } from '../entity/indexes.js';
import type { QueryPlan } from '../entity/models.js';
import { short, shown } from '../base/shown.js';
import { wireName } from '../base/system-names.js';
import { lostCondition } from './lost-conditions.js';
import type {
  Definition,
  DevelopmentWarning,
  TypedComparison,
  TypesAnswer,
  TypesOfProperty,
} from './models.js';
import { nearestName } from '../base/nearest.js';

/** A filter may compare, and a list return, this many entities without a warning. */
export const MAX_EXAMINED = 10_000;

/** A warning, and a text that distinguishes its place from others in the same table. */
export interface Finding {
  readonly warning: DevelopmentWarning;
  readonly place: string;
}

/** The comparisons of a filter without their values: equal for every call from one place. */
export function filterForm({ properties }: TypesAnswer): string {
  return properties
    .flatMap(({ name, comparisons }) => comparisons.map((one) => `${name} ${formOf(one)}`))
    .join();
}

/** Finds comparisons that have the same result for every stored value. */
export function constantComparisons(
  table: string,
  filter: string,
  { properties }: TypesAnswer,
): Finding[] {
  return properties.flatMap((property) =>
    property.types.length > 0 ? constantComparisonsOf(table, filter, property) : [],
  );
}

/** The names in a filter that no entity has as a property. */
export function unknownIn({ count, properties }: TypesAnswer): string[] {
  // The first entity of an empty table may have them.
  return count === 0
    ? []
    : properties.filter(({ types }) => types.length === 0).map(({ name }) => name);
}

/** The part of a call that names properties. */
export interface Naming {
  readonly filter?: string;
  /** `age desc,name`. */
  readonly orderBy?: string;
}

/** Warns of a property that no entity has. `names`: those that entities have, or may have. */
export function unknownProperty(
  table: string,
  { filter, orderBy }: Naming,
  property: string,
  names: readonly string[],
): Finding {
  const nearest = nearestName(property, names);
  const known = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), '…'] : names;
  const message = [
    `No entity of table ${shown(table)} has a property ${shown(property)},`,
    orderBy === undefined
      ? 'so every comparison with it is false.'
      : 'so the entities are not in an order of it.',
    nearest === undefined
      ? `The properties are ${known.join(', ')}.`
      : `Did you mean ${shown(nearest)}? Names are case-sensitive.`,
    orderBy === undefined ? ofFilter(filter!) : `The order: ${shown(orderBy)}.`,
  ].join(' ');
  const named = {
    ...(filter !== undefined && { filter }),
    ...(nearest !== undefined && { nearest }),
  };
  const warning = { code: 'unknown-property', message, table, property, ...named } as const;
  return { warning, place: property };
}

const MAX_NAMES = 20;

function constantComparisonsOf(
  table: string,
  filter: string,
  { name: property, types, comparisons }: TypesOfProperty,
): Finding[] {
  return comparisons.flatMap((comparison) => {
    const { operator, type, holds } = comparison;
    if (holds === 'sometimes') return [];
    const isNever = holds === 'never';
    // The types of system properties are fixed.
    const orElse = SYSTEM.includes(property) ? '' : `, or store the property as ${type}`;
    const message = [
      `In table ${shown(table)}, ${shown(property)} has the type ${types.join(' or ')},`,
      `and '${operator}' compares it with ${type}. These types are not compared,`,
      `so the result is ${isNever ? 'false' : 'true'} for every value.`,
      `Write the literal like ${types.map((one) => LITERALS[one]).join(' or ')}${orElse}.`,
      ofFilter(filter),
    ].join(' ');
    const code = isNever ? 'comparison-never-true' : 'comparison-always-true';
    const warning = { code, message, table, filter, property, types } as const;
    return { warning, place: `${property} ${formOf(comparison)}` };
  });
}

const SYSTEM = ['PartitionKey', 'RowKey', 'Timestamp'];

const formOf = ({ operator, type }: TypedComparison) => `${operator} ${type}`;

const LITERALS: Readonly<Record<string, string>> = {
  'Edm.String': `'150'`,
  'Edm.Int32': '150',
  'Edm.Int64': '150L',
  'Edm.Double': '150.5',
  'Edm.Boolean': 'true',
  'Edm.DateTime': `datetime'2024-01-01T00:00:00Z'`,
  'Edm.Guid': `guid'a455c695-df98-5678-aaaa-81d3367e5a34'`,
  'Edm.Binary': `X'0aff'`,
};

/** What a call takes of the entities that fit. */
export interface Bounds {
  readonly skip: number;
  /** Infinite, if the call has no limit. */
  readonly limit: number;
  readonly isOrdered: boolean;
}

/**
 * Warns of a filter that compares too many entities.
 *
 * @param advice - what helps.
 */
export function tableScan(
  table: string,
  filter: string,
  { entitiesExamined, count }: QueryPlan,
  { skip, limit, isOrdered }: Bounds,
  advice: string,
): Finding[] {
  // A call ends as soon as it has enough.
  const mayEnd = !isOrdered && skip + limit <= count;
  if (entitiesExamined <= MAX_EXAMINED || (mayEnd && count > MAX_INDEXED)) return [];
  const message = [
    `A filter compares ${mayEnd ? 'up to ' : ''}${entitiesExamined} entities of table`,
    `${shown(table)} to find ${Math.min(limit, Math.max(0, count - skip))}.`,
    advice,
    ofFilter(filter),
  ].join(' ');
  return [{ warning: { code: 'table-scan', message, table, filter }, place: advice }];
}

// With more, the core prefers a scan.
const MAX_INDEXED = 1000;

/** What helps a filter of a table that is not declared; undefined, if it has a partition. */
export const partitionAdvice = ({ access }: QueryPlan): string | undefined =>
  access === 'table scan'
    ? 'Add a condition on PartitionKey that limits what is read, ' +
      'or keep what you look for in a partition or a table of its own.'
    : undefined;

/** What helps a filter of a declared table; undefined, if nothing does. */
export function declaredAdvice(
  { properties, indexes, rowKeys }: Pick<Definition, 'properties' | 'indexes' | 'rowKeys'>,
  filter: string,
  types: TypesAnswer,
  { access, count, index }: QueryPlan,
): string | undefined {
  const text = filter.replace(/'[^']*'/g, "''");
  const compared = Object.keys(properties).filter((name) => isEqualled(name, text, types));
  const firsts = indexes.map((index) => termsOf(index)[0]!.replace(/^items\(|\)|[ ].*/g, ''));
  if (count <= MAX_INDEXED && index === undefined) {
    // An index that the core does not use is still being built.
    if (compared.some((name) => firsts.includes(name))) return undefined;
    if (compared.length) return `Declare an index: indexes: [['${compared[0]!}']].`;
  }
  const words = /contains\((?:whole\()?([\p{L}\p{N}_$]+)/u.exec(text)?.[1];
  if (words !== undefined && Object.hasOwn(properties, words)) {
    return `search() finds words by an index of words: indexes: [['words(${words})']].`;
  }
  const [first, ...others] = rowKeys?.names ?? ['partitionKey', 'rowKey'];
  if (access !== 'table scan' || !others.length) return undefined;
  return `Add a condition on ${first!}, the first field of the key, which limits what is read.`;
}

// Whether a filter compares a property, or the items of an array, by equality, and so could use an
// index of it. Keys need none.
function isEqualled(name: string, text: string, { properties }: TypesAnswer): boolean {
  if (text.includes(`${name}/any(`)) return true;
  const compared = properties.find((one) => one.name === wireName(name))?.comparisons ?? [];
  return !SYSTEM.includes(wireName(name)) && compared.some(({ operator }) => operator === 'eq');
}

/** Warns of conditions that are joined by an operator of JavaScript. */
export function lostConditions(table: string, source: string, names: readonly string[]): Finding[] {
  const lost = lostCondition(source, names);
  if (!lost) return [];
  const { operator, condition } = lost;
  const message = [
    `A filter of table ${shown(table)} joins conditions by ${operator}, which keeps only one of`,
    `them: ${short(`${condition} ${operator} …`)} Write ${operator === '&&' ? 'and' : 'or'}(…).`,
  ].join(' ');
  return [{ warning: { code: 'lost-condition', message, table }, place: '' }];
}

/** Warns of a list that is very long. */
export function longList(table: string, count: number): Finding[] {
  if (count <= MAX_EXAMINED) return [];
  const message = [
    `A list of table ${shown(table)} without a limit has ${count} rows, all of them in memory.`,
    'Give it a limit, read the rows one after another with rows(), or count them with count().',
  ].join(' ');
  return [{ warning: { code: 'long-list', message, table }, place: '' }];
}

/** Warns of properties that have several types after an import. */
export function mixedTypes(table: string, { properties }: TypesAnswer): Finding[] {
  return properties
    .filter(({ types }) => types.length > 1)
    .map(({ name: property, types }) => {
      const message = [
        `After an import, table ${shown(table)} has property ${shown(property)}`,
        `under several types: ${types.join(', ')}.`,
        'A comparison does not find the values of every type.',
        "Import each value with one type, as { type: 'Double', value: 3 }, or declare the table.",
      ].join(' ');
      return { warning: { code: 'mixed-types', message, table, property, types }, place: property };
    });
}

const ofFilter = (filter: string) => `The filter: ${shown(filter)}.`;
