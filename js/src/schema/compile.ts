/**
 * The form of a table definition that the core reads. The grammar is in
 * `docs/internals/file-format.md`.
 *
 * @module
 */

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
import { wireName } from '../base/system-names.js';
import { isFinite } from './constraints.js';
import type { PropertyDefinition, PropertyRules } from './properties.js';
import { bitsOfGuid, ticksOf } from './values.js';
import type { KnownVersion } from './versions.js';

/**
 * Compiles the properties of a table.
 *
 * @param known - a write must not replace a row of a later version.
 */
export function compile(
  properties: Readonly<Record<string, PropertyDefinition>>,
  keepsUnknown: boolean,
  known?: KnownVersion,
): Uint8Array {
  const writer = new Writer();
  writer.bytes.push(
    SCHEMA_VERSION,
    (keepsUnknown ? 0 : REJECT_UNKNOWN) + (known ? KNOWS_VERSION : 0),
  );
  if (known) {
    writer.varint(known.version);
    writer.text(known.property);
  }
  for (const [name, { rules }] of Object.entries(properties)) writeProperty(writer, name, rules);
  return Uint8Array.from(writer.bytes);
}

function writeProperty(writer: Writer, name: string, rules: PropertyRules): void {
  const { type, presence, constraints } = rules;
  const names = RULE_NAMES.filter((name) => constraints[name] !== undefined);
  writer.text(wireName(name));
  // A row that is older than a default has no value, and reads fill it in.
  const flags = (presence === 'required' ? 0 : OPTIONAL) + (isFinite(rules) ? FINITE : 0);
  writer.bytes.push(TYPE_NAMES.indexOf(type) + 1, flags, names.length);
  for (const name of names) {
    const operand = constraints[name];
    writer.bytes.push(RULE_NAMES.indexOf(name) + 1);
    if (isOfLength(name)) writer.varint(operand as number);
    else if (name !== 'enum') writer.value(type, operand);
    else {
      const values = operand as unknown[];
      writer.varint(values.length);
      for (const value of values) writer.value(type, value);
    }
  }
}

class Writer {
  readonly bytes: number[] = [];

  varint(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.bytes.push((rest % 128) | 0x80);
    this.bytes.push(rest);
  }

  text(text: string): void {
    const utf8 = new TextEncoder().encode(text);
    this.varint(utf8.length);
    // As arguments, the bytes of a long text would not fit the stack.
    for (const byte of utf8) this.bytes.push(byte);
  }

  value(type: PropertyRules['type'], value: unknown): void {
    const view = new DataView(new ArrayBuffer(16));
    switch (type) {
      case 'String':
        return this.text(value as string);
      case 'Int32':
        view.setInt32(0, value as number, true);
        return this.#start(view, 4);
      case 'Double':
        view.setFloat64(0, value as number, true);
        return this.#start(view, 8);
      case 'Guid':
        // In the order of the text.
        view.setBigUint64(0, bitsOfGuid(value as string) >> 64n);
        view.setBigUint64(8, BigInt.asUintN(64, bitsOfGuid(value as string)));
        return this.#start(view, 16);
      default: // Int64, DateTime: no other type has constraints with values.
        view.setBigInt64(0, type === 'Int64' ? (value as bigint) : ticksOf(value), true);
        return this.#start(view, 8);
    }
  }

  #start({ buffer }: DataView, count: number): void {
    this.bytes.push(...new Uint8Array(buffer, 0, count));
  }
}
