/**
 * Reads the entities of an answer from their values in a frame. The grammar is in
 * `docs/internals/frames.md`.
 *
 * @module
 */

import { isInt32 } from './edm.js';
import { apiName, define } from './json.js';
import { BINARY, BOOLEAN, DATE_TIME, DOUBLE, GUID, INT32, INT64, STRING } from './type-numbers.js';

/** The members that consecutive rows have in common. */
interface RowSchema {
  readonly kinds: readonly number[];
  readonly names: readonly string[];
}

const SYSTEM = 0;

// Answers have the same few row schemas again and again.
const MAX_SCHEMAS = 100;
const schemas = new Map<string, RowSchema>();

const SAME = 0xffffffff;

let decoder: TextDecoder | undefined;

/** Returns the entities, and keeps no part of the bytes. */
export function readEntities(bytes: Uint8Array): Record<string, unknown>[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const end = 4 + view.getUint32(0, true);
  decoder ??= new TextDecoder();
  const texts = decoder.decode(bytes.subarray(end));
  const entities: Record<string, unknown>[] = [];
  let at = 4;
  let textAt = 0;
  const u32 = () => view.getUint32((at += 4) - 4, true);
  const f64 = () => view.getFloat64((at += 8) - 8, true);
  const text = (units: number) => texts.slice(textAt, (textAt += units));

  let schema: RowSchema | undefined;
  let last: Record<string, unknown> | undefined;
  while (at < end) {
    const units = u32();
    if (units > 0) schema = schemaOf(text(units));
    const { kinds, names } = schema!;
    const entity: Record<string, unknown> = {};
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      let value: unknown;
      switch (kinds[i]!) {
        case SYSTEM: {
          const length = u32();
          value = length === SAME ? last![name] : text(length);
          break;
        }
        case STRING:
          value = text(u32());
          break;
        case INT32:
          value = u32() | 0;
          break;
        case INT64:
          value = view.getBigInt64((at += 8) - 8, true);
          break;
        case DOUBLE: {
          const number = f64();
          value = isInt32(number) ? { type: 'Double', value: number } : number;
          break;
        }
        case BOOLEAN:
          value = bytes[at++] === 1;
          break;
        case DATE_TIME: {
          const time = f64();
          value = Number.isNaN(time) ? { type: 'DateTime', value: text(u32()) } : new Date(time);
          break;
        }
        case GUID:
          value = { type: 'Guid', value: text(u32()) };
          break;
        case BINARY: {
          const length = u32();
          value = bytes.slice(at, (at += length));
          break;
        }
        default: // Selected, and not there.
          value = null;
      }
      define(entity, name, value);
    }
    entities.push(entity);
    last = entity;
  }
  return entities;
}

function schemaOf(text: string): RowSchema {
  const known = schemas.get(text);
  if (known) return known;
  const members = text.split('.');
  const kinds = members.map((member) => Number(member[0]));
  // The names of system properties come as they are here.
  const names = members.map((member, i) => {
    const name = member.slice(1);
    return kinds[i] === SYSTEM ? name : apiName(name);
  });
  if (schemas.size >= MAX_SCHEMAS) schemas.clear();
  const schema = { kinds, names };
  schemas.set(text, schema);
  return schema;
}
