/**
 * Table definitions as JSON Schema.
 *
 * @module
 */

import { isDate } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import type { EdmTypes } from '../entity/edm.js';
import type { PropertyDefinition, PropertyRules } from './properties.js';

const TARGETS: Readonly<Record<string, string>> = {
  'draft-2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
};

/** A table as the JSON Schema needs it. */
export interface DescribedTable {
  readonly tableName: string;
  readonly properties: Readonly<Record<string, PropertyDefinition>>;
  readonly description?: string | undefined;
  readonly unknownProperties: 'keep' | 'reject' | 'drop';
}

/**
 * Returns the JSON Schema of the rows of a table.
 *
 * @param isOutput - after validation: every default is there, and no property is that was dropped.
 * @throws TypeError, if the version of JSON Schema is another one.
 */
export function jsonSchemaOf(
  { tableName, properties, description, unknownProperties }: DescribedTable,
  target: string,
  isOutput: boolean,
): Record<string, unknown> {
  if (!Object.hasOwn(TARGETS, target)) {
    const known = Object.keys(TARGETS).join(', ');
    throw new TypeError(`There is no JSON Schema of ${shown(target)}. There is ${known}.`);
  }
  const entries = Object.entries(properties);
  const isRequired = ({ presence }: PropertyRules) =>
    presence === 'required' || (isOutput && presence === 'default');
  const isClosed = unknownProperties === 'reject' || (isOutput && unknownProperties === 'drop');
  return {
    $schema: TARGETS[target],
    title: tableName,
    ...(description === undefined ? {} : { description }),
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { rules }]) => [name, schemaOf(rules)])),
    required: entries.filter(([, { rules }]) => isRequired(rules)).map(([name]) => name),
    ...(isClosed ? { additionalProperties: false } : {}),
  };
}

function schemaOf(rules: PropertyRules): Record<string, unknown> {
  const schema = schemaOfValue(rules);
  return rules.default === null ? { anyOf: [schema, { type: 'null' }] } : schema;
}

function schemaOfValue(rules: PropertyRules): Record<string, unknown> {
  const { constraints, description, format, parted } = rules;
  const schema: Record<string, unknown> = { ...BASES[rules.type], ...(format && { format }) };
  if (parted?.kind === 'array') {
    Object.assign(schema, { type: 'array', items: schemaOf(parted.item!) });
  }
  // Any value.
  if (parted?.kind === 'json') delete schema['type'];
  if (description !== undefined) schema['description'] = description;
  for (const [name, value] of Object.entries(constraints)) {
    const json = name === 'pattern' ? patternOf(value as RegExp) : jsonOf(value);
    // A limit that JSON cannot write exactly is left out.
    const isLeftOut =
      /Bytes|precise|finite/.test(name) || (/imum/.test(name) && typeof json !== 'number');
    if (json !== undefined && !isLeftOut) schema[name] = json;
  }
  const given = typeof rules.default === 'function' ? undefined : jsonOf(rules.default);
  if (given !== undefined) schema['default'] = given;
  return schema;
}

const BASES: Readonly<Record<EdmTypes, object>> = {
  String: { type: 'string' },
  Int32: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  Int64: { type: 'integer', format: 'int64' },
  Double: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Guid: { type: 'string', format: 'uuid' },
  Binary: { type: 'string', contentEncoding: 'base64' },
};

// JSON Schema knows no flags, and validators read a pattern with the flag u. The flag d is about
// results alone.
function patternOf({ source, flags }: RegExp): string | undefined {
  try {
    if (/[^du]/.test(flags)) return undefined;
    new RegExp(source, 'u');
    return source;
  } catch {
    return undefined;
  }
}

// Undefined, if JSON has no such value.
function jsonOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const values: unknown[] = value.map(jsonOf);
    return values.includes(undefined) ? undefined : values;
  }
  if (isDate(value)) return value.toISOString();
  if (typeof value === 'number' || typeof value === 'bigint') {
    const number = Number(value);
    const isExact =
      typeof value === 'number' ? Number.isFinite(value) : Number.isSafeInteger(number);
    return isExact ? number : undefined;
  }
  // Bytes.
  return typeof value === 'object' ? undefined : value;
}
