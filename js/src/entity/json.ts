/**
 * Entities as the OData JSON of the service.
 *
 * @module
 */

import { bytesToBase64 } from '../base/base64.js';
import { bodyTooLarge, invalidInput, TableError } from '../base/errors.js';
import { hasMethod, isBytes, isDate, isObject } from '../base/kinds.js';
import { MAX_BODY_BYTES, MAX_PROPERTY_NAME_LENGTH } from '../base/limits.js';
import { shown, shownValue } from '../base/shown.js';
import { wireName } from '../base/system-names.js';
import { isInt32, type EdmTypes } from './edm.js';

export const TYPE_SUFFIX = '@odata.type';

/** The eight types, in the order in which people read them. */
export const EDM_TYPES: Readonly<Record<EdmTypes, true>> = {
  String: true,
  Int32: true,
  Int64: true,
  Double: true,
  Boolean: true,
  DateTime: true,
  Guid: true,
  Binary: true,
};

/**
 * The value of a property that a merge removes. Only a local account knows it: see "Removed
 * properties" of `docs/internals/frames.md`.
 */
export const REMOVED = /* @__PURE__ */ Symbol('true');

/** The same for a part of a long value, with all later parts. */
export const REMOVED_PARTS = /* @__PURE__ */ Symbol('"parts"');

/** Whether it is one of them. No other symbol is a value. */
export const isRemoval = (value: unknown): value is symbol => typeof value === 'symbol';

export const hasRemovals = (entity: unknown): boolean =>
  isObject(entity) && Object.values(entity).some(isRemoval);

const ORDINARY: PropertyDescriptor = { writable: true, enumerable: true, configurable: true };

/**
 * Returns the OData JSON of an entity. It leaves out members that are undefined or null. `etag` and
 * `timestamp` come from an earlier read; the service does not take them from a client, and they are
 * left out, too. A value of another form is refused, because it was meant as an ordinary property:
 * the name of that is `$etag` or `$timestamp` here.
 *
 * @throws {@link TableError} `InvalidInput`, if it is no object, or a value has no type of the
 * service; `PropertyNameInvalid`, if an ordinary property is named `etag` or `timestamp`;
 * `RequestBodyTooLarge`, as soon as the JSON is too long.
 */
export function entityToJson(entity: object): string {
  checkEntity(entity);
  let members = '';
  for (const name of Object.keys(entity)) {
    const value = (entity as Record<string, unknown>)[name];
    if (value === undefined || value === null) continue;
    if (name === 'etag' || name === 'timestamp') {
      checkReadOnly(name, value);
      continue;
    }
    const isRemoved = value === REMOVED || value === REMOVED_PARTS;
    const wire: WireValue = isRemoved ? { json: value.description } : toWire(name, value);
    const { type, json } = wire;
    if (json === undefined) continue;
    const quoted = isRemoved
      ? JSON.stringify(`${wireName(name)}@entitable.removed`)
      : quotedName(name);
    if (members) members += ',';
    if (type) members += `${quoted.slice(0, -1)}${TYPE_SUFFIX}":"Edm.${type}",`;
    members += `${quoted}:${json}`;
    checkLength(members);
  }
  return `{${members}}`;
}

/** Callers of JavaScript may pass any value. */
export function checkEntity(entity: unknown): void {
  if (isObject(entity) && !hasMethod(entity, 'then')) return;
  throw invalidInput(`An entity must be an object, not ${shown(entity)}.`);
}

// Programs write the same few names again and again.
const MAX_NAMES = 1000;
const quotedNames = new Map<string, string>();

function quotedName(name: string): string {
  let quoted = quotedNames.get(name);
  if (!quoted) {
    checkLength(name);
    quoted = JSON.stringify(wireName(name));
    if (name.length > MAX_PROPERTY_NAME_LENGTH) return quoted;
    if (quotedNames.size >= MAX_NAMES) quotedNames.clear();
    quotedNames.set(name, quoted);
  }
  return quoted;
}

interface WireValue {
  /** Missing if JSON shows the type. */
  readonly type?: EdmTypes;
  /** Missing if there is no value. */
  readonly json?: string | undefined;
}

function toWire(name: string, value: unknown): WireValue {
  if (typeof value !== 'object') return primitiveToWire(name, value);
  const { type, value: inner } = value as { type?: EdmTypes; value?: unknown };
  if (type === undefined || inner === undefined) return primitiveToWire(name, value);
  if (!Object.hasOwn(EDM_TYPES, type))
    throw noType(name, value, 'names a type that the service does not have');
  return inner === null ? {} : { type, json: primitiveToWire(name, inner).json };
}

// A text that no request can hold is not copied.
function checkLength({ length }: string | Uint8Array): void {
  if (length > MAX_BODY_BYTES) throw bodyTooLarge();
}

function primitiveToWire(name: string, value: unknown): WireValue {
  if (typeof value === 'string' || isBytes(value)) checkLength(value);
  switch (typeof value) {
    case 'string':
      return { json: textToWire(value) };
    case 'boolean':
      return { json: `${value}` };
    case 'number':
      return numberToWire(value);
    case 'bigint':
      return { type: 'Int64', json: `"${value}"` };
    // no default
  }
  if (isBytes(value)) return { type: 'Binary', json: `"${bytesToBase64(value)}"` };
  if (isDate(value) && !Number.isNaN(value.getTime())) {
    return { type: 'DateTime', json: `"${value.toISOString()}"` };
  }
  throw noType(name, value, 'has none of the types of the service');
}

// JSON takes nearly every text as it is, and this test is faster than `JSON.stringify`.
function textToWire(value: string): string {
  return /^[ !#-[\]-~]*$/.test(value) ? `"${value}"` : JSON.stringify(value);
}

// The service has one zero, so -0 is written 0.
function numberToWire(value: number): WireValue {
  if (!Number.isFinite(value)) return { type: 'Double', json: `"${value}"` };
  const json = String(value);
  return Number.isInteger(value) && !isInt32(value) ? { type: 'Double', json } : { json };
}

/**
 * Checks the form of the service: W/"datetime'...'", or an ISO date.
 *
 * @throws {@link TableError} `PropertyNameInvalid` for any other value.
 */
export function checkReadOnly(name: 'etag' | 'timestamp', value: unknown): void {
  const form = name === 'etag' ? /^(\*|W\/".*")$/ : /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
  if (typeof value !== 'string' || !form.test(value)) throw collision(name);
}

function collision(name: string): TableError {
  const sentence =
    `'${name}' is the name of a system property here. ` +
    `Name a property of your own '$${name}': it is stored as '${name}'.`;
  return new TableError('PropertyNameInvalid', 'The property name is invalid.', { sentence });
}

function noType(name: string, value: unknown, what: string): TableError {
  return invalidInput(`Property ${shown(name)} holds ${shownValue(value)}, which ${what}.`);
}

/**
 * Gives an entity a property. `__proto__` is a legal name, and an assignment to it would set the
 * prototype.
 */
export function define(entity: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') entity[name] = value;
  else Object.defineProperty(entity, name, { value, ...ORDINARY });
}
