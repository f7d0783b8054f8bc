/**
 * The columns of some entities: their properties, with the types that these have.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import type { TypedEntity } from './typed-entity.js';

export interface Column {
  readonly name: string;
  /** More than one if entities differ, because the service has no schema. */
  readonly types: ReadonlySet<EdmTypes>;
  /** The values that differ, as texts. */
  readonly values: ReadonlySet<string>;
}

/** @param order - the first columns. Other columns follow in the order of the entities. */
export function columnsOf(entities: readonly TypedEntity[], order: readonly string[]): Column[] {
  const empty = () => ({ types: new Set<EdmTypes>(), values: new Set<string>() });
  const columns = new Map(order.map((name) => [name, empty()]));
  for (const { properties } of entities) {
    for (const [name, { type, value }] of properties) {
      let column = columns.get(name);
      if (!column) columns.set(name, (column = empty()));
      column.types.add(type);
      column.values.add(value);
    }
  }
  return Array.from(columns, ([name, column]) => ({ name, ...column })).filter(
    ({ types }) => types.size > 0,
  );
}
