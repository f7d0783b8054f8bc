/**
 * Entities from the OData JSON of answers, with exact types.
 *
 * Source: payloads of the spec, 4.3 to 4.5; data model, 1.5.
 *
 * @module
 */

import { isObject } from '../base/kinds.js';
import { apiName, SYSTEM_NAMES } from '../base/system-names.js';
import { isInt32, type EdmTypes } from '../entity/edm.js';
import { define, TYPE_SUFFIX } from '../entity/json.js';
import { javaScriptValue } from '../entity/typed.js';

/** How properties come back: see the options of a read. */
export interface ValueForm {
  readonly typed?: boolean | undefined;
  readonly disableTypeConversion?: boolean | undefined;
}

type Members = Record<string, unknown>;
type Plain = string | number | boolean;

const SYSTEM = Object.values(SYSTEM_NAMES);

// JavaScript reads 3.0 as 3. A Double becomes an object with its text, so that it is known as one.
const STRINGS_AND_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const withDoubles = (json: string) =>
  json.replace(STRINGS_AND_NUMBERS, (token) =>
    /^[-\d].*[.eE]/.test(token) ? `{"double":${token}}` : token,
  );

/**
 * Returns the entities of an answer.
 *
 * @param isOne - the answer is an entity, not a page of a query.
 * @param form - plain values, if it has neither option.
 * @throws an error, if it is not the JSON of entities.
 */
export function entitiesOf(json: string, isOne: boolean, form: ValueForm): Members[] {
  const isPlain = !form.typed && !form.disableTypeConversion;
  const answer = JSON.parse(isPlain ? json : withDoubles(json)) as Members & { value: Members[] };
  const entities = isOne ? [answer] : answer.value;
  // A gateway may answer with other JSON.
  const isForeign = entities.some((one) => typeof one['odata.etag'] !== 'string');
  if (isForeign) throw new SyntaxError('An entity has an etag.');
  return entities.map((one) => entityOf(one, form));
}

/** An entity as a read without options returns it. */
export const plainEntity = (members: Members): Members => entityOf(members, {});

function entityOf(members: Members, form: ValueForm): Members {
  const entity: Members = {};
  for (const [name, value] of Object.entries(members)) {
    if (SYSTEM.includes(name)) entity[apiName(name)] = value;
    // No name of a property has a point, and every annotation has one.
    else if (!name.includes('.')) {
      const type = members[name + TYPE_SUFFIX] as string | undefined;
      define(entity, apiName(name), valueOf(value, type?.replace('Edm.', '') as EdmTypes, form));
    }
  }
  return entity;
}

function valueOf(given: unknown, named: EdmTypes | undefined, form: ValueForm): unknown {
  if (given === null) return null;
  const raw = (isObject(given) ? (given as { double: number }).double : given) as Plain;
  const type = named ?? typeInJson(given);
  if (form.disableTypeConversion) return { type, value: String(raw) };
  const value = named ? javaScriptValue({ type, value: String(raw) }) : raw;
  if (form.typed) return { type, value };
  const isPlain = type !== 'Guid' && !(type === 'DateTime' && typeof value === 'string');
  return isPlain ? value : { type, value };
}

function typeInJson(value: unknown): EdmTypes {
  if (typeof value === 'boolean') return 'Boolean';
  if (typeof value === 'string') return 'String';
  return typeof value === 'number' && isInt32(value) ? 'Int32' : 'Double';
}
