/**
 * Values that are stored in parts: JSON, arrays, long texts and bytes.
 *
 * The service takes texts of 32,768 UTF-16 units and 64 KiB of bytes in one property. A longer
 * value goes on in further ones: `notes`, `notes_2`, `notes_3`. A full part is always followed by
 * another one, which may be empty. So a row that has lost a part, or has one too many, is noticed.
 *
 * @module
 */

import { TableError } from '../base/errors.js';
import { isBytes } from '../base/kinds.js';
import { MAX_BINARY_BYTES, MAX_STRING_LENGTH } from '../base/limits.js';
import { own } from '../base/own.js';
import { shown } from '../base/shown.js';
import { define, isRemoval, REMOVED, REMOVED_PARTS } from '../entity/json.js';
import { keyTexts } from '../entity/keys.js';
import { isBlob, jsonOf } from './parted-values.js';
import { PropertyDefinition, type PropertyRules } from './properties.js';

type Values = Record<string, unknown>;
type Part = string | Uint8Array;

/** The bytes of the Blobs of a row. */
export type BlobContents = ReadonlyMap<unknown, Uint8Array>;

// `kMaxParts` of `core/src/model/parts.h`. An entity has no room for more.
const MAX_PARTS = 16;

/** The name of a part; the first one has the name of the property. */
export const partName = (name: string, number: number) =>
  number === 1 ? name : `${name}_${number}`;

const typeName = (name: string) => `${name}_type`;

/** The names of the further properties that a value takes. */
export function furtherNames(name: string, { parted }: PropertyRules): string[] {
  if (!parted) return [];
  const names = Array.from({ length: MAX_PARTS - 1 }, (_, at) => partName(name, at + 2));
  return parted.kind === 'blob' ? [...names, typeName(name)] : names;
}

/** The property of each further name; undefined, if no property of the table has parts. */
export function ownersOf(
  properties: Readonly<Record<string, PropertyDefinition>>,
): ReadonlyMap<string, string> | undefined {
  const owners = Object.entries(properties).flatMap(([name, { rules }]) =>
    furtherNames(name, rules).map((one) => [one, name] as const),
  );
  return owners.length ? new Map(owners) : undefined;
}

/** The properties as they are stored: those with parts have no constraints for the core. */
export function storedForm(
  properties: Readonly<Record<string, PropertyDefinition>>,
): Record<string, PropertyDefinition> {
  const stored: Record<string, PropertyDefinition> = {};
  for (const [name, property] of Object.entries(properties)) {
    const { rules } = property;
    define(stored, name, rules.parted ? storedPart(rules.type, rules.presence) : property);
    for (const one of furtherNames(name, rules)) {
      define(stored, one, storedPart(one === typeName(name) ? 'String' : rules.type, 'optional'));
    }
  }
  return stored;
}

const storedPart = (type: PropertyRules['type'], presence: PropertyRules['presence']) =>
  new PropertyDefinition({ type, presence, constraints: {}, checks: [] });

/** Whether another part follows. */
export const isFull = (part: Part) =>
  // A text must not be cut within a pair of surrogates, so its parts may lack one unit.
  part.length >= (isBytes(part) ? MAX_BINARY_BYTES : MAX_STRING_LENGTH - 1);

/** The parts of a value. One too many is enough for a value that does not fit. */
export function partsOf(value: Part): Part[] {
  const parts: Part[] = [];
  for (let at = 0; parts.length <= MAX_PARTS;) {
    let end = at + (isBytes(value) ? MAX_BINARY_BYTES : MAX_STRING_LENGTH);
    const cutsPair =
      !isBytes(value) && end < value.length && (value.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    if (cutsPair) end--;
    const part = isBytes(value) ? value.subarray(at, end) : value.slice(at, end);
    parts.push(part);
    if (!isFull(part)) break;
    at = end;
  }
  return parts;
}

/**
 * Gives an entity the parts of a value. A part of a row also removes the parts that it does not
 * have.
 */
export function storeParts(
  stored: Values,
  name: string,
  { parted }: PropertyRules,
  value: unknown,
  isPart: boolean,
  contents: BlobContents | undefined,
): void {
  const { kind } = parted!;
  const parts = partsOf(
    kind === 'blob' || kind === 'bytes' ? bytesOf(value, contents) : jsonOf(parted!, value),
  );
  parts.forEach((part, at) => define(stored, partName(name, at + 1), part));
  if (isPart && parts.length < MAX_PARTS) {
    define(stored, partName(name, parts.length + 1), REMOVED_PARTS);
  }
  if (kind !== 'blob') return;
  const type = isBlob(value) && value.type;
  if (type || isPart) define(stored, typeName(name), type || REMOVED);
}

/** Makes a part of a row remove a property. */
export function removeParts(stored: Values, name: string, rules: PropertyRules): void {
  define(stored, name, REMOVED);
  if (!rules.parted) return;
  define(stored, partName(name, 2), REMOVED_PARTS);
  if (rules.parted.kind === 'blob') define(stored, typeName(name), REMOVED);
}

// A check of a row needs only the length of a Blob.
const bytesOf = (value: unknown, contents: BlobContents | undefined): Uint8Array => {
  if (isBytes(value)) return value;
  return contents?.get(value) ?? new Uint8Array(isBlob(value) ? value.size : 0);
};

/** Whether an entity has more parts of a value than any entity can have. */
export const hasTooManyParts = (stored: Values, name: string): boolean =>
  own(stored, partName(name, MAX_PARTS + 1)) !== undefined;

/**
 * The value of a property in an entity, or its text, if it is stored as JSON. A value that another
 * writer has stored, and that is none of this kind, stays as it is.
 *
 * @param partOf - returns the part in an entity that was read.
 * @param hasFurther - whether the entity has a further part, which may be one too many.
 * @throws {@link TableError} `SchemaViolation`, if a part is missing, or one too many is there.
 */
export function joinedValue(
  entity: Values,
  name: string,
  rules: PropertyRules,
  partOf: (rules: PropertyRules, value: unknown) => unknown,
  hasFurther = false,
): unknown {
  const parts: Part[] = [];
  do {
    const next = partName(name, parts.length + 1);
    const part = partOf(rules, own(entity, next)) ?? undefined;
    if (!(rules.type === 'String' ? typeof part === 'string' : isBytes(part))) {
      if (parts.length) {
        const before = shown(partName(name, parts.length));
        throw brokenParts(entity, next, `is missing, because ${before} is full`);
      }
      if (part !== undefined || !hasFurther) return part;
      break;
    }
    parts.push(part as Part);
  } while (isFull(parts.at(-1)!) && parts.length < MAX_PARTS);
  for (let number = parts.length + 1; hasFurther && number <= MAX_PARTS; number++) {
    const part = partName(name, number);
    const isThere = (own(entity, part) ?? undefined) !== undefined && !isRemoval(entity[part]);
    if (isThere) throw brokenParts(entity, part, `is one part too many of ${shown(name)}`);
  }
  const whole = parts.length === 1 ? parts[0]! : joined(parts);
  if (rules.parted!.kind !== 'blob') return whole;
  const type = own(entity, typeName(name));
  return new Blob([whole as BlobPart], { type: typeof type === 'string' ? type : '' });
}

/**
 * Joins the values of a row that an earlier definition has stored in parts, and that the present
 * one does not have. A value of which a part is missing stays as it is.
 *
 * @returns the row with whole values, and a function that takes them apart again where another row
 * has the same ones.
 */
export function withWholeValues(row: Readonly<Values>) {
  const whole = { ...row };
  const found: { name: string; value: Part; names: readonly string[] }[] = [];
  for (const name of Object.keys(row)) {
    const parts = [own(row, name)];
    const isPart = (one: unknown): one is Part => typeof one === 'string' || isBytes(one);
    while (isPart(parts.at(-1)) && isFull(parts.at(-1) as Part)) {
      parts.push(own(row, partName(name, parts.length + 1)));
    }
    if (parts.length === 1 || !parts.every(isPart)) continue;
    const names = parts.map((_, at) => partName(name, at + 1));
    const value = joined(parts);
    for (const one of names) delete whole[one];
    define(whole, name, value);
    found.push({ name, value, names });
  }
  const inParts = (other: Values): Values => {
    for (const { name, value, names } of found) {
      if (own(other, name) !== value) continue;
      for (const one of names) define(other, one, row[one]);
    }
    return other;
  };
  return { whole, inParts };
}

function joined(parts: readonly Part[]): Part {
  if (!isBytes(parts[0])) return parts.join('');
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts as readonly Uint8Array[]) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function brokenParts(entity: Values, name: string, what: string): TableError {
  const message = `Property ${shown(name)} ${what}.`;
  return new TableError('SchemaViolation', 'A row has a value with a wrong number of parts.', {
    sentence: message,
    issues: [{ rule: 'schema-type', code: 'SchemaViolation', path: [name], message }],
    ...keyTexts(entity),
  });
}

/** Reads the Blobs of a row; undefined, if it has none. */
export function blobsOf(
  properties: Readonly<Record<string, PropertyDefinition>>,
  row: Values,
): Promise<BlobContents> | undefined {
  const blobs = Object.keys(properties)
    .filter((name) => properties[name]!.rules.parted?.kind === 'blob')
    .map((name) => own(row, name))
    .filter(isBlob);
  return blobs.length ? contentsOf(blobs) : undefined;
}

async function contentsOf(blobs: readonly { arrayBuffer(): Promise<ArrayBuffer> }[]) {
  const read = blobs.map(async (blob) => [blob, new Uint8Array(await blob.arrayBuffer())] as const);
  return new Map<unknown, Uint8Array>(await Promise.all(read));
}
