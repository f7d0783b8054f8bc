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

// Most answers have the row schema of the answer before, and a comparison is faster than the map.
let lastText: string | undefined;
let lastSchema: RowSchema | undefined;

const SAME = 0xffffffff;

let decoder: TextDecoder | undefined;

/** Returns the entities, and keeps no part of the bytes. */
export function readEntities(bytes: Uint8Array): Record<string, unknown>[] {
  const values = new Values(bytes);
  const entities: Record<string, unknown>[] = [];
  let schema: RowSchema | undefined;
  let last: Record<string, unknown> | undefined;
  while (values.hasMore) {
    const units = values.u32();
    if (units > 0) schema = schemaOf(values.text(units));
    const { kinds, names } = schema!;
    const entity: Record<string, unknown> = {};
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const kind = kinds[i]!;
      define(entity, name, kind === SYSTEM ? values.systemValue(last, name) : values.value(kind));
    }
    entities.push(entity);
    last = entity;
  }
  return entities;
}

/** Reads values one after another. */
class Values {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  readonly #texts: string;
  #at = 4;
  #textAt = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset);
    this.#end = 4 + this.#view.getUint32(0, true);
    decoder ??= new TextDecoder();
    this.#texts = decoder.decode(bytes.subarray(this.#end));
  }

  get hasMore(): boolean {
    return this.#at < this.#end;
  }

  u32(): number {
    return this.#view.getUint32((this.#at += 4) - 4, true);
  }

  text(units: number): string {
    return this.#texts.slice(this.#textAt, (this.#textAt += units));
  }

  /** @param last - the entity before, which may have the same value. */
  systemValue(last: Record<string, unknown> | undefined, name: string): unknown {
    const units = this.u32();
    return units === SAME ? last![name] : this.text(units);
  }

  value(kind: number): unknown {
    switch (kind) {
      case STRING:
        return this.text(this.u32());
      case INT32:
        return this.u32() | 0;
      case INT64:
        return this.#view.getBigInt64((this.#at += 8) - 8, true);
      case DOUBLE: {
        const number = this.#f64();
        return isInt32(number) ? { type: 'Double', value: number } : number;
      }
      case BOOLEAN:
        return this.#bytes[this.#at++] === 1;
      case DATE_TIME: {
        const time = this.#f64();
        if (!Number.isNaN(time)) return new Date(time);
        return { type: 'DateTime', value: this.text(this.u32()) };
      }
      case GUID:
        return { type: 'Guid', value: this.text(this.u32()) };
      case BINARY: {
        const length = this.u32();
        return this.#bytes.slice(this.#at, (this.#at += length));
      }
      default: // Selected, and missing.
        return null;
    }
  }

  #f64(): number {
    return this.#view.getFloat64((this.#at += 8) - 8, true);
  }
}

function schemaOf(text: string): RowSchema {
  if (text === lastText) return lastSchema!;
  lastText = text;
  return (lastSchema = schemas.get(text) ?? newSchema(text));
}

function newSchema(text: string): RowSchema {
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
