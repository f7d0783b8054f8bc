/**
 * Reads the entities of an answer from their values in a frame. The grammar is in
 * `docs/internals/frames.md`.
 *
 * @module
 */

import { textOfUtf8 } from '../base/utf8.js';
import { apiName } from './json.js';
import { BINARY, BOOLEAN, DATE_TIME, DOUBLE, GUID, INT32, INT64, STRING } from './type-numbers.js';

/** The members that consecutive rows have in common. */
interface RowSchema {
  readonly kinds: readonly number[];
  readonly names: readonly string[];
  /**
   * An entity with each name, and null for each value. To copy it and to set its members takes a
   * third of the time of adding member after member to an empty object.
   */
  readonly blank: Readonly<Record<string, unknown>>;
}

const SYSTEM = 0;

// Answers have the same few row schemas again and again.
const MAX_SCHEMAS = 100;
const schemas = new Map<string, RowSchema>();

// Most answers have the row schema of the answer before, and a comparison is faster than the map.
let lastText: string | undefined;
let lastSchema: RowSchema | undefined;

const SAME = 0xffffffff;

/** The form of a value whose type has this number. A selected property that is missing is null. */
export type FormOf = (value: unknown, kind: number) => unknown;

/** Returns the entities, and keeps no part of the bytes. */
export function readEntities(bytes: Uint8Array, formOf?: FormOf): Record<string, unknown>[] {
  const values = new Values(bytes);
  const entities: Record<string, unknown>[] = [];
  let schema: RowSchema | undefined;
  let last: Record<string, unknown> | undefined;
  while (values.hasMore) {
    const units = values.u32();
    if (units > 0) schema = schemaOf(values.text(units));
    const { kinds, names, blank } = schema!;
    const entity = { ...blank };
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const kind = kinds[i]!;
      // It has each name already, so `__proto__` is a name like any other.
      if (kind === SYSTEM) {
        entity[name] = values.systemValue(last, name);
      } else {
        const value = values.value(kind);
        entity[name] = formOf ? formOf(value, kind) : value;
      }
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
    this.#texts = textOfUtf8(bytes.subarray(this.#end));
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
      case DOUBLE:
        return this.#f64();
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
  const blank = Object.fromEntries(names.map((name) => [name, null]));
  const schema = { kinds, names, blank };
  schemas.set(text, schema);
  return schema;
}
