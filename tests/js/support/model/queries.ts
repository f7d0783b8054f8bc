// queries.ts - what reads of the model return.

import { fits, type Dialect, type Filter } from './filters.js';
import { compareKeys, valueIn, type Entity, type Model } from './model.js';
import { compared, isNumber, ordered, plainOf, shownValue, type Value } from './values.js';

export interface Query {
  readonly filter: Filter | undefined;
  readonly dialect: Dialect;
}

export interface OrderedQuery extends Query {
  /** Names as in entities, each with `desc` behind it or not. */
  readonly orderBy?: readonly string[] | undefined;
  readonly top?: number | undefined;
  readonly skip?: number | undefined;
}

const WIRE: Record<string, string> = {
  partitionKey: 'PartitionKey',
  rowKey: 'RowKey',
  timestamp: 'Timestamp',
};

const valueOf = (entity: Entity, name: string) => valueIn(entity, WIRE[name] ?? name);

/** The entities that fit, in the order of their keys. */
export function found(model: Model, table: string, { filter, dialect }: Query): Entity[] {
  const all = model.entities(table);
  if (!filter) return all;
  return all.filter((entity) => fits(filter, dialect, (name) => valueIn(entity, name)));
}

/** The entities of an ordered list. */
export function listed(model: Model, table: string, query: OrderedQuery): Entity[] {
  const { orderBy = [], top = Infinity, skip = 0 } = query;
  const terms = orderBy.map((term) => term.split(' '));
  const sorted = found(model, table, query).sort((a, b) => {
    for (const [name, direction] of terms) {
      const order = ordered(valueOf(a, name!), valueOf(b, name!));
      if (order !== 0) return direction === 'desc' ? -order : order;
    }
    return compareKeys(a, b);
  });
  return sorted.slice(skip, skip + top);
}

/** An entity as one line of text, with all or some of its properties. */
export function shown(entity: Entity, names: Iterable<string> = entity.properties.keys()): string {
  const texts = [...names]
    .sort()
    .map((name) => `${name}=${shownValue(entity.properties.get(name))}`);
  return [JSON.stringify([entity.partitionKey, entity.rowKey]), ...texts].join(' ');
}

/** A group of entities: the value that they share, and its aggregates. */
export interface Group {
  readonly of: Value | undefined;
  readonly n: number;
  readonly has: number;
  readonly kinds: number;
  readonly total: number | bigint | null;
  readonly least: Value | undefined;
  readonly most: Value | undefined;
}

/** The groups by the values of a property, in their order. */
export function grouped(model: Model, table: string, query: Query, name: string): Group[] {
  const entities = found(model, table, query);
  entities.sort((a, b) => ordered(valueOf(a, name), valueOf(b, name)));
  const groups: Entity[][] = [];
  for (const entity of entities) {
    const last = groups.at(-1)?.[0];
    const isSame = last && ordered(valueOf(last, name), valueOf(entity, name)) === 0;
    if (isSame) groups.at(-1)!.push(entity);
    else groups.push([entity]);
  }
  return groups.map((group) => aggregated(group, name));
}

function aggregated(group: readonly Entity[], name: string): Group {
  const of = (property: string) =>
    group.map((entity) => valueOf(entity, property)).filter((value) => value !== undefined);
  const any = of('any').sort(ordered);
  const isNew = (value: Value, at: number) => at === 0 || ordered(any[at - 1], value) !== 0;
  const comparable = any.filter((value) => compared(value, value) === 0);
  return {
    ...{ of: valueOf(group[0]!, name), n: group.length, has: any.length },
    kinds: any.filter(isNew).length,
    total: sumOf(of('sum').filter(isNumber)),
    ...{ least: comparable[0], most: comparable.at(-1) },
  };
}

function sumOf(values: readonly Value[]): number | bigint | null {
  if (values.length === 0) return null;
  const numbers = values.map(plainOf) as (number | bigint)[];
  if (values.some(({ type }) => type === 'Double')) {
    return numbers.reduce((sum: number, one) => sum + Number(one), 0);
  }
  const sum = numbers.reduce((all: bigint, one) => all + BigInt(one), 0n);
  return values.some(({ type }) => type === 'Int64') ? sum : Number(sum);
}

const MARKS = /\p{M}/gu;

/** The words of a text, as a search compares them. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(MARKS, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** The entities whose `notes` have all words, or any of them; a star ends a prefix. */
export function searched(
  model: Model,
  table: string,
  terms: readonly string[],
  { isAny, ...query }: Query & { isAny: boolean },
): Entity[] {
  return found(model, table, query).filter((entity) => {
    const notes = entity.properties.get('notes');
    if (notes?.type !== 'String') return false;
    const words = wordsOf(notes.value);
    const has = (term: string) => {
      const [word = ''] = wordsOf(term);
      return words.some((one) => (term.endsWith('*') ? one.startsWith(word) : one === word));
    };
    return isAny ? terms.some(has) : terms.every(has);
  });
}
