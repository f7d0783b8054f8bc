/**
 * The properties of a table, as the core knows them of all its entities.
 *
 * @module
 */

import type { EdmTypes, TableClient } from 'entitable';

import { apiName } from '../../js/src/base/system-names.js';
import type { TypesAnswer } from '../../js/src/warnings/models.js';

/** The types of each property. */
export type PropertyTypes = ReadonlyMap<string, readonly EdmTypes[]>;

const SYSTEM = ['PartitionKey', 'RowKey', 'Timestamp'];

/** Reads the types of all pages of the table, in slices. No entity is made. */
export async function propertiesOf({ requests, tableName }: TableClient): Promise<PropertyTypes> {
  const { body } = await requests.session.request({ kind: 'queryTypes', table: tableName });
  const { properties } = JSON.parse(body!) as TypesAnswer;
  return new Map(
    properties
      .filter(({ name }) => !SYSTEM.includes(name))
      .map(({ name, types }) => [
        apiName(name),
        types.map((type) => type.replace(/^Edm\./, '') as EdmTypes),
      ]),
  );
}
