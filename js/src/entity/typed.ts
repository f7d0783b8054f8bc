/**
 * Entities for reads that return every property as `{ type, value }`. It is loaded on demand.
 *
 * @module
 */

import { base64ToBytes } from '../base/base64.js';
import { apiName, SYSTEM_NAMES } from '../base/system-names.js';
import type { Edm, EdmTypes, TypedValue } from './edm.js';
import { define, TYPE_SUFFIX } from './json.js';

/**
 * The entities of an answer.
 *
 * @param isOne - the answer is an entity, not a page of a query.
 * @param isTyped - a value has its type in JavaScript; otherwise, it is a text.
 */
export function entitiesOfJson(text: string, isOne: boolean, isTyped = false): object[] {
  const json = JSON.parse(text) as { value?: object[] };
  const entities = (isOne ? [json] : json.value!).map(typedEntityFromJson);
  return isTyped ? entities.map(withJavaScriptValues) : entities;
}

/** Returns the entity of a member of an answer, with every property as `{ type, value }`. */
export function typedEntityFromJson(members: object): Record<string, unknown> {
  const entity: Record<string, unknown> = {};
  let type: EdmTypes | undefined;
  for (const [name, value] of Object.entries(members)) {
    if (Object.values(SYSTEM_NAMES).includes(name)) {
      entity[apiName(name)] = value;
    } else if (isAnnotation(name)) {
      // It comes right before its property.
      if (name.endsWith(TYPE_SUFFIX)) type = (value as string).slice('Edm.'.length) as EdmTypes;
    } else {
      define(entity, apiName(name), value === null ? value : asTyped(value, type));
      type = undefined;
    }
  }
  return entity;
}

// No name of a property has a point, and every annotation has one.
const isAnnotation = (name: string) => name.includes('.');

function asTyped(value: unknown, type: EdmTypes = typeInJson(value)): unknown {
  return { type, value: String(value) };
}

function typeInJson(value: unknown): EdmTypes {
  if (typeof value === 'boolean') return 'Boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'Int32' : 'Double';
  return 'String';
}

// Gives every `{ type, value }` of an entity the value that it has in JavaScript, in place of its
// text.
function withJavaScriptValues(entity: Record<string, unknown>): Record<string, unknown> {
  for (const property of Object.values(entity)) {
    // The properties of the system are texts, and a selected property may be missing.
    if (typeof property !== 'object' || property === null) continue;
    const typed = property as TypedValue;
    typed.value = javaScriptValue(property as Edm<EdmTypes>);
  }
  return entity;
}

/** Returns the value that a property has in JavaScript, in place of its text. */
export function javaScriptValue({ type, value }: Edm<EdmTypes>): TypedValue['value'] {
  const text = value as string;
  switch (type) {
    case 'Binary':
      return base64ToBytes(text);
    case 'Boolean':
      return text === 'true';
    case 'DateTime':
      return dateOf(text);
    case 'Double':
    case 'Int32':
      return Number(text);
    case 'Int64':
      return BigInt(text);
    case 'Guid':
    case 'String':
      return text;
  }
}

// A Date has milliseconds. Some endpoints store texts that are no dates.
function dateOf(text: string): Date | string {
  const date = new Date(text);
  return /\.\d{3}0*[1-9]/.test(text) || Number.isNaN(date.getTime()) ? text : date;
}
