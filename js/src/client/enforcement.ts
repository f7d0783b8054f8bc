/**
 * The schemas that the store holds every writer of a table to. It is loaded on demand.
 *
 * @module
 */

import type { ReadOptions } from '../base/call-options.js';
import { TableError } from '../base/errors.js';
import { TICKS_PER_MS } from '../base/limits.js';
import { apiName } from '../base/system-names.js';
import { textOfUtf8 } from '../base/utf8.js';
import type { AccountSession } from '../core/account-session.js';
import type { EdmTypes } from '../entity/edm.js';
import type { EnforcedProperty, EnforcedSchema, EnforcedValue } from '../entity/enforced-schema.js';
import { define } from '../entity/json.js';
import {
  FINITE,
  isOfLength,
  KNOWS_VERSION,
  OPTIONAL,
  REJECT_UNKNOWN,
  RULE_NAMES,
  SCHEMA_VERSION,
  TYPE_NAMES,
} from '../entity/schema-numbers.js';
import { timeOf } from '../entity/ticks.js';

/** See `TableServiceClient.enforcedSchema()`. */
export async function enforcedSchema(
  session: AccountSession,
  table: string,
  { fresh, abortSignal }: Pick<ReadOptions, 'fresh' | 'abortSignal'>,
): Promise<EnforcedSchema | undefined> {
  let schema = new Uint8Array();
  const operation = { kind: 'getTableSchema', table, fresh } as const;
  await session.request(operation, abortSignal, (bytes) => (schema = bytes.slice()));
  return schema.length ? described(schema) : undefined;
}

// The grammar is in `docs/internals/file-format.md`.
function described(bytes: Uint8Array): EnforcedSchema {
  const reader = new SchemaReader(bytes);
  if (reader.u8() > SCHEMA_VERSION) {
    throw new TableError('StorageVersionNewer', 'The schema was stored by a newer version.');
  }
  const flags = reader.u8();
  const unknownProperties = flags & REJECT_UNKNOWN ? 'reject' : 'keep';
  if (flags & KNOWS_VERSION) reader.skipKnownVersion();
  const properties: Record<string, EnforcedProperty> = {};
  while (reader.hasMore) {
    const name = apiName(reader.text());
    define(properties, name, propertyFrom(reader));
  }
  return { properties, unknownProperties };
}

function propertyFrom(reader: SchemaReader): EnforcedProperty {
  const type = TYPE_NAMES[reader.u8() - 1]!;
  const flags = reader.u8();
  const property: Record<string, unknown> = {
    ...{ type, required: !(flags & OPTIONAL) },
    ...(flags & FINITE && { finite: true }),
  };
  for (let count = reader.u8(); count > 0; count--) {
    const rule = RULE_NAMES[reader.u8() - 1]!;
    if (isOfLength(rule)) property[rule] = reader.varint();
    else if (rule !== 'enum') property[rule] = reader.value(type);
    else property[rule] = Array.from({ length: reader.varint() }, () => reader.value(type));
  }
  return property as unknown as EnforcedProperty;
}

/** Reads the bytes of a schema. The core has checked them. */
class SchemaReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get hasMore(): boolean {
    return this.#at < this.#bytes.length;
  }

  u8(): number {
    return this.#bytes[this.#at++]!;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.u8();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  // Requests have it, and anybody may store their bytes.
  skipKnownVersion(): void {
    this.varint();
    this.text();
  }

  text(): string {
    return textOfUtf8(this.#take(this.varint()));
  }

  value(type: EdmTypes): EnforcedValue {
    switch (type) {
      case 'String':
        return this.text();
      case 'Int32':
        return this.#view.getInt32((this.#at += 4) - 4, true);
      case 'Int64':
        return this.#i64();
      case 'Double':
        return this.#view.getFloat64((this.#at += 8) - 8, true);
      case 'Boolean':
        return this.u8() === 1;
      case 'DateTime': {
        const ticks = this.#i64();
        return timeOf(ticks, ticks % BigInt(TICKS_PER_MS) !== 0n);
      }
      case 'Guid':
        return Array.from(this.#take(16), (byte) => byte.toString(16).padStart(2, '0'))
          .join('')
          .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      case 'Binary':
        return this.#take(this.varint());
    }
  }

  #i64(): bigint {
    return this.#view.getBigInt64((this.#at += 8) - 8, true);
  }

  #take(length: number): Uint8Array {
    return this.#bytes.slice(this.#at, (this.#at += length));
  }
}
