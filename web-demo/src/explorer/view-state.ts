/**
 * What is on the screen, as text: for the address, for a link to it, and for queries to repeat.
 *
 * @module
 */

import type { Search, Sort } from '../rows/row-query.js';

/** The choices of a chart, by their texts. */
export interface ChartState {
  readonly kind: string;
  readonly by: string;
  readonly of: string;
}

export interface QueryState {
  readonly filter?: string | undefined;
  readonly sort?: Sort | undefined;
  readonly search?: Search | undefined;
}

/** A view of a table. What is undefined is as it is at first. */
export interface TableState extends QueryState {
  /** The columns that are shown, in their order. */
  readonly columns?: readonly string[] | undefined;
  /** The id of the panel beside the grid. */
  readonly panel?: string | undefined;
  readonly chart?: ChartState | undefined;
}

export interface ViewState extends TableState {
  readonly table: string;
}

// The slash distinguishes it from the id of an element.
const PREFIX = '#/';

export function hashOf({ table, ...state }: ViewState): string {
  const query = textOf(state);
  return PREFIX + table + (query && `?${query}`);
}

/** Undefined, if the text names no table. */
export function viewOf(hash: string): ViewState | undefined {
  const [, table, query = ''] = /^#\/([^?]+)\??(.*)$/s.exec(hash) ?? [];
  if (table === undefined) return undefined;
  try {
    return { table: decodeURIComponent(table), ...stateOf(query) };
  } catch {
    // A malformed percent escape is no table name.
    return undefined;
  }
}

/** The state of a table as the parameters of an address. */
export function textOf({ filter, sort, search, columns, panel, chart }: TableState): string {
  const found = {
    filter: filter?.trim(),
    order: sort && (sort.isDescending ? `${sort.name} desc` : sort.name),
    words: search?.words,
    in: search?.property,
    match: search?.match === 'any' ? 'any' : undefined,
    columns: columns?.join(','),
    panel,
    chart: chart?.kind,
    by: chart?.by,
    of: chart?.of,
  };
  const given = Object.entries(found).flatMap(([name, text]) => (text ? [[name, text]] : []));
  return new URLSearchParams(given).toString();
}

export function stateOf(text: string): TableState {
  const found = new URLSearchParams(text);
  const of = (name: string) => found.get(name) ?? undefined;
  const [words, property, kind] = [of('words'), of('in'), of('chart')];
  const match = of('match') === 'any' ? 'any' : 'all';
  return {
    filter: of('filter'),
    sort: sortOf(of('order')),
    search: words && property ? { property, words, match } : undefined,
    columns: of('columns')?.split(','),
    panel: of('panel'),
    chart: kind === undefined ? undefined : { kind, by: of('by') ?? '', of: of('of') ?? '' },
  };
}

function sortOf(order: string | undefined): Sort | undefined {
  if (!order) return undefined;
  const [name = '', direction] = order.split(' ');
  return { name, isDescending: direction === 'desc' };
}
