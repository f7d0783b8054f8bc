/**
 * Writes the entities of an import for the core. The grammar is in `docs/internals/frames.md`.
 * Common entities have the packed form, which is faster; all others go as OData JSON. The core has
 * the same rules for both.
 *
 * @module
 */

import { isBytes, isDate } from '../base/kinds.js';
import {
  MAX_BINARY_BYTES,
  MAX_DATE_TIME_MS,
  MAX_ENTITY_BYTES,
  MAX_STRING_LENGTH,
  MIN_DATE_TIME_MS,
  MS_BEFORE_1970,
  TICKS_PER_MS,
} from '../base/limits.js';
import { checkReadOnly, entityToJson } from './json.js';
import { BINARY, BOOLEAN, DATE_TIME, DOUBLE, INT32, INT64, STRING } from './type-numbers.js';

const JSON_FORM = 0;
const PACKED_FORM = 1;
// The form, and the length of the entity.
const HEADER_BYTES = 5;

// For a text up to this length, this code is faster than a call of the encoder.
const SHORT_TEXT = 48;

// The most bytes of the length of a text, of a number, and of a UTF-16 unit.
const MAX_LENGTH_BYTES = 3;
const NUMBER_BYTES = 8;
const MAX_BYTES_PER_UNIT = 3;

const SIMPLE_NAME = /^(?!(?:PartitionKey|RowKey|Timestamp)$)[A-Za-z_]\w{0,126}$/;

// Programs write the same few names again and again.
const MAX_NAMES = 1000;
const MAX_NAME_LENGTH = 127;

/** Writes entities, one behind another. */
export class EntityWriter {
  readonly #encoder = new TextEncoder();
  readonly #names = new Map<string, Uint8Array | undefined>();
  #bytes = new Uint8Array(2 ** 19);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;
  #at = 0; // Behind that, within an entity.

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /** All that was written; valid until the next entity is added. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#size);
    this.#size = 0;
    return taken;
  }

  /** @throws as {@link entityToJson} does; then nothing is written. */
  add(entity: object): void {
    const start = this.#size;
    this.#begin(PACKED_FORM);
    if (!this.#pack(entity as Record<string, unknown>) || this.#at - start > MAX_ENTITY_BYTES) {
      const json = entityToJson(entity);
      this.#begin(JSON_FORM, MAX_BYTES_PER_UNIT * json.length);
      // A lone surrogate is escaped in JSON.
      this.#at += this.#encode(json);
    }
    this.#view.setUint32(start + 1, this.#at - start - HEADER_BYTES, true);
    this.#size = this.#at;
  }

  #begin(form: number, bytes = 0): void {
    this.#at = this.#size;
    this.#reserve(HEADER_BYTES + bytes);
    this.#bytes[this.#at] = form;
    this.#at += HEADER_BYTES;
  }

  #reserve(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * needed);
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  // False, if this entity must go as JSON.
  #pack(entity: Record<string, unknown>): boolean {
    const { partitionKey, rowKey } = entity;
    if (typeof partitionKey !== 'string' || typeof rowKey !== 'string') return false;
    if (!this.#text(partitionKey) || !this.#text(rowKey)) return false;
    let keys = 0;
    for (const name of Object.keys(entity)) {
      const value = entity[name];
      if (name === 'partitionKey' || name === 'rowKey') keys++;
      else if (value === undefined || value === null) continue;
      else if (name === 'etag' || name === 'timestamp') checkReadOnly(name, value);
      else if (!this.#property(name, value)) return false;
    }
    return keys === 2;
  }

  #property(name: string, value: unknown): boolean {
    const nameBytes = this.#nameBytes(name);
    if (!nameBytes) return false;
    this.#reserve(1 + nameBytes.length + NUMBER_BYTES);
    const at = this.#at;
    this.#at = at + 1;
    // The name is too short for a call of set().
    for (let i = 0; i < nameBytes.length; i++) this.#bytes[this.#at++] = nameBytes[i]!;
    const type = this.#value(value);
    this.#bytes[at] = type;
    return type !== 0;
  }

  // The type number; 0, if the type is not common or the value is longer than the core takes. Then
  // the entity goes as JSON, and the core refuses it with a full message.
  #value(value: unknown): number {
    switch (typeof value) {
      case 'string':
        return this.#text(value) ? STRING : 0;
      case 'number':
        // -0 is 0.
        if ((value | 0) === value) return (this.#u32(value), INT32);
        this.#view.setFloat64((this.#at += 8) - 8, value, true);
        return DOUBLE;
      case 'boolean':
        this.#bytes[this.#at++] = Number(value);
        return BOOLEAN;
      case 'bigint':
        if (BigInt.asIntN(64, value) !== value) return 0;
        this.#view.setBigInt64((this.#at += 8) - 8, value, true);
        return INT64;
      // no default
    }
    if (isDate(value)) return this.#time(value.getTime()) ? DATE_TIME : 0;
    if (!isBytes(value) || value.length > MAX_BINARY_BYTES) return 0;
    this.#reserve(MAX_LENGTH_BYTES + value.length);
    this.#length(value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
    return BINARY;
  }

  // In ticks of 100 ns since the year 1, which do not fit into a number.
  #time(ms: number): boolean {
    if (!(ms >= MIN_DATE_TIME_MS && ms <= MAX_DATE_TIME_MS)) return false;
    const whole = ms + MS_BEFORE_1970;
    const low = (whole % 2 ** 32) * TICKS_PER_MS;
    this.#u32(low);
    this.#u32(Math.floor(whole / 2 ** 32) * TICKS_PER_MS + Math.floor(low / 2 ** 32));
    return true;
  }

  #u32(value: number): void {
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  // As a varint.
  #length(length: number): void {
    for (; length > 0x7f; length >>>= 7) this.#bytes[this.#at++] = (length & 0x7f) | 0x80;
    this.#bytes[this.#at++] = length;
  }

  // False, if the text is too long or not well formed.
  #text(text: string): boolean {
    const { length } = text;
    if (length > MAX_STRING_LENGTH) return false;
    this.#reserve(MAX_LENGTH_BYTES + MAX_BYTES_PER_UNIT * length);
    if (length <= SHORT_TEXT && this.#ascii(text)) return true;
    const start = this.#at;
    const from = (this.#at += MAX_LENGTH_BYTES);
    const written = this.#encode(text);
    if (written !== length && /\p{Surrogate}/u.test(text)) return false;
    this.#at = start;
    this.#length(written);
    this.#bytes.copyWithin(this.#at, from, from + written);
    this.#at += written;
    return true;
  }

  // False, and nothing is written, if the text has a character beyond ASCII.
  #ascii(text: string): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    bytes[at++] = text.length;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) return false;
      bytes[at++] = unit;
    }
    this.#at = at;
    return true;
  }

  // Writes behind the last byte, and returns the number of bytes.
  #encode(text: string): number {
    return this.#encoder.encodeInto(text, this.#bytes.subarray(this.#at)).written;
  }

  // With its length; undefined, if the name is not a common one.
  #nameBytes(name: string): Uint8Array | undefined {
    if (this.#names.has(name)) return this.#names.get(name);
    if (name.length > MAX_NAME_LENGTH) return undefined;
    const bytes = SIMPLE_NAME.test(name)
      ? this.#encoder.encode(String.fromCharCode(name.length) + name)
      : undefined;
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    this.#names.set(name, bytes);
    return bytes;
  }
}
