/**
 * The types of the service that a JSON Schema means.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

type JsonProperty = Readonly<Partial<Record<'type' | 'format' | 'contentEncoding', string>>>;

const BY_FORMAT: Readonly<Record<string, EdmTypes>> = {
  ...{ int64: 'Int64', 'date-time': 'DateTime', uuid: 'Guid', base64: 'Binary' },
};

const BY_TYPE: Readonly<Record<string, EdmTypes>> = {
  ...{ string: 'String', integer: 'Int32', number: 'Double', boolean: 'Boolean' },
};

/** The type of each property, by its name. */
export function typesOf(schema: Readonly<Record<string, unknown>>): ReadonlyMap<string, EdmTypes> {
  const properties = schema['properties'] as Readonly<Record<string, JsonProperty>>;
  return new Map(Object.entries(properties).map(([name, property]) => [name, typeOf(property)]));
}

function typeOf({ type = '', format, contentEncoding }: JsonProperty): EdmTypes {
  return BY_FORMAT[format ?? contentEncoding ?? ''] ?? BY_TYPE[type]!;
}

/** Whether each entity has the property. */
export function isRequired(schema: Readonly<Record<string, unknown>>, name: string): boolean {
  return (schema['required'] as readonly string[]).includes(name);
}
