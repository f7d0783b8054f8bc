/**
 * The columns of some entities: their properties, with the types that these have.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import type { PropertyTypes } from './table-properties.js';
import type { TypedEntity } from './typed-entity.js';

export interface Column {
  readonly name: string;
  /** More than one if entities differ, because the service has no schema. */
  readonly types: ReadonlySet<EdmTypes>;
  /** The values that differ, as texts. */
  readonly values: ReadonlySet<string>;
}

/**
 * @param order - the first columns. Other columns follow in the order of the entities.
 * @param known - the properties of entities that are not here. They have no values.
 */
export function columnsOf(
  entities: readonly TypedEntity[],
  order: readonly string[],
  known: PropertyTypes,
): Column[] {
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
  for (const [name, types] of known) {
    const column = columns.get(name) ?? empty();
    for (const type of types) column.types.add(type);
    columns.set(name, column);
  }
  return Array.from(columns, ([name, column]) => ({ name, ...column })).filter(
    ({ types }) => types.size > 0,
  );
}
