/**
 * Reads the entities of an answer from their values in a frame. The grammar is in
 * `docs/internals/frames.md`.
 *
 * @module
 */

import { apiName } from '../base/system-names.js';
import { textOfUtf8 } from '../base/utf8.js';
import { BINARY, BOOLEAN, DATE_TIME, DOUBLE, GUID, INT32, INT64, STRING } from './type-numbers.js';

type Row = Record<string, unknown>;

/** The members that the rows of a block have in common. */
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
export function readEntities(bytes: Uint8Array, formOf?: FormOf): Row[] {
  const values = new Values(bytes);
  const entities: Row[] = [];
  let schema: RowSchema | undefined;
  let last: Row | undefined;
  while (values.at < values.end) {
    const units = values.u32();
    if (units > 0) schema = schemaOf(values.text(units));
    const rows = readBlock(values, schema!, last, formOf);
    // A block has few rows, so they fit the arguments of a call.
    entities.push(...rows);
    last = rows.at(-1);
  }
  return entities;
}

/** @param last - the row before the block. */
function readBlock(
  values: Values,
  { kinds, names, blank }: RowSchema,
  last: Row | undefined,
  formOf: FormOf | undefined,
): Row[] {
  const rowCount = values.u32();
  const common: Row = { ...blank };
  const differing: [name: string, texts: unknown[]][] = [];
  let i = 0;
  for (; kinds[i] === SYSTEM; i++) {
    const name = names[i]!;
    const count = values.u32();
    if (count === 1) common[name] = values.systemText(last?.[name]);
    else differing.push([name, values.systemTexts(count, last?.[name])]);
  }
  const rows = [common];
  while (rows.length < rowCount) rows.push({ ...common });
  for (const [name, texts] of differing) {
    for (let row = 0; row < rowCount; row++) rows[row]![name] = texts[row];
  }
  // The rows have each name already, so `__proto__` is a name like any other.
  for (; i < names.length; i++) {
    const name = names[i]!;
    const kind = kinds[i]!;
    COLUMNS[kind]?.(values, rows, name);
    if (!formOf) continue;
    for (const row of rows) row[name] = formOf(row[name], kind);
  }
  return rows;
}

/** Reads values one after another. Private fields would make it slower by a fifth. */
class Values {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly texts: string;
  readonly end: number;
  at = 4;
  textAt = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset);
    this.end = 4 + this.view.getUint32(0, true);
    this.texts = textOfUtf8(bytes.subarray(this.end));
  }

  u32(): number {
    return this.view.getUint32((this.at += 4) - 4, true);
  }

  i64(): bigint {
    return this.view.getBigInt64((this.at += 8) - 8, true);
  }

  f64(): number {
    return this.view.getFloat64((this.at += 8) - 8, true);
  }

  text(units: number): string {
    return this.texts.slice(this.textAt, (this.textAt += units));
  }

  dateTime(): Date | TypedText {
    const time = this.f64();
    return Number.isNaN(time) ? this.typed('DateTime') : new Date(time);
  }

  typed(type: string): TypedText {
    return { type, value: this.text(this.u32()) };
  }

  binary(): Uint8Array {
    const length = this.u32();
    return this.bytes.slice(this.at, (this.at += length));
  }

  /** @param last - that of the row before. */
  systemText(last: unknown): unknown {
    const units = this.u32();
    return units === SAME ? last : this.text(units);
  }

  systemTexts(count: number, last: unknown): unknown[] {
    const texts: unknown[] = [];
    while (texts.length < count) texts.push((last = this.systemText(last)));
    return texts;
  }
}

interface TypedText {
  readonly type: string;
  readonly value: string;
}

// Reads the values of a property. A loop for each type is faster than a choice for each value. A
// property that was selected and is missing has none, and stays null.
const COLUMNS = /* @__PURE__ */ columns();

type Column = (values: Values, rows: Row[], name: string) => void;

function columns(): Readonly<Record<number, Column>> {
  return {
    [STRING](values, rows, name) {
      for (const row of rows) row[name] = values.text(values.u32());
    },
    [INT32](values, rows, name) {
      for (const row of rows) row[name] = values.u32() | 0;
    },
    [INT64](values, rows, name) {
      for (const row of rows) row[name] = values.i64();
    },
    [DOUBLE](values, rows, name) {
      for (const row of rows) row[name] = values.f64();
    },
    [BOOLEAN](values, rows, name) {
      for (const row of rows) row[name] = values.bytes[values.at++] === 1;
    },
    [DATE_TIME](values, rows, name) {
      for (const row of rows) row[name] = values.dateTime();
    },
    [GUID](values, rows, name) {
      for (const row of rows) row[name] = values.typed('Guid');
    },
    [BINARY](values, rows, name) {
      for (const row of rows) row[name] = values.binary();
    },
  };
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
