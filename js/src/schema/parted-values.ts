/**
 * JSON, arrays, long texts and bytes as they are in JavaScript: copied, checked, and as the text
 * that is stored.
 *
 * @module
 */

import { isBytes, isDate, isObject, tagOf } from '../base/kinds.js';
import type { PlatformBlob } from '../base/platform.js';
import { shown, shownValue } from '../base/shown.js';
import { define } from '../entity/json.js';
import { brokenBy, isPrecise } from './constraints.js';
import type { Parted, PropertyRules } from './properties.js';
import { copied, fitsType, isWellFormed, typeText } from './values.js';

type Values = Record<string, unknown>;

/** What is wrong with a value, in words, and where. */
export interface Wrong {
  readonly path: readonly PropertyKey[];
  readonly what: string;
  /** The constraint that it breaks; without it, it has another type. */
  readonly constraint?: string | undefined;
}

/** A `Blob`, of any realm. */
export const isBlob = (value: unknown): value is PlatformBlob => /^(Blob|File)$/.test(tagOf(value));

// ------------------------------------------------------------------------ JSON

// A value of more levels is probably part of itself.
const MAX_LEVELS = 200;

// What is known to be JSON: copies, which nobody else has.
const copies = /* @__PURE__ */ new WeakSet<object>();

/** A copy of a JSON value, without members that are undefined. Notes what JSON does not have. */
function jsonCopy(value: unknown, path: readonly PropertyKey[], wrongs: Wrong[]): unknown {
  const note = (what: string) => {
    wrongs.push({ path, what });
    return value;
  };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (wrongs.length) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (!isObject(value)) return note(`is ${shownKind(value)}, which JSON does not have`);
  if (path.length > MAX_LEVELS) return note(`is part of itself, or has over ${MAX_LEVELS} levels`);
  if (Array.isArray(value)) {
    return Array.from(value, (one, at) => jsonCopy(one, [...path, at], wrongs));
  }
  if (tagOf(value) !== 'Object') return note(`is a ${tagOf(value)}, which JSON does not have`);
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) define(copy, name, jsonCopy(member, [...path, name], wrongs));
  }
  return copy;
}

const shownKind = (value: unknown) =>
  typeof value === 'bigint' || typeof value === 'symbol' ? `a ${typeof value}` : shown(value);

/** A copy of a value, as the caller gave it. What is no value of its kind stays as it is. */
export function copiedValue({ parted }: PropertyRules, value: unknown): unknown {
  if (!parted || isBytes(value)) return copied(value);
  if (parted.kind === 'array' && Array.isArray(value)) return value.map(copied);
  if (parted.kind !== 'json' || !isObject(value)) return value;
  const wrongs: Wrong[] = [];
  const copy = jsonCopy(value, [], wrongs) as object;
  if (wrongs.length) return value;
  copies.add(copy);
  return copy;
}

// ---------------------------------------------------------------------- checks

/** What is wrong with a value; undefined, if nothing is. */
export function wrongIn(rules: PropertyRules, value: unknown): Wrong | undefined {
  const { kind, item } = rules.parted!;
  if (kind === 'json') {
    if (isObject(value) && copies.has(value)) return undefined;
    const wrongs: Wrong[] = [];
    jsonCopy(value, [], wrongs);
    return wrongs[0];
  }
  if (!isOfKind(kind, value)) {
    return { path: [], what: `is ${shownValue(value)}, not ${IN_WORDS[kind]}` };
  }
  return wrongItem(item, value as unknown[]) ?? broken(rules, value, []);
}

function wrongItem(item: PropertyRules | undefined, values: readonly unknown[]): Wrong | undefined {
  if (!item) return undefined;
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    const what = `is ${shownValue(value)}, not ${typeText(item)}`;
    const fits = fitsType(item.type, isPrecise(item), value);
    const wrong = fits ? broken(item, value, [at]) : { path: [at], what };
    if (wrong) return wrong;
  }
  return undefined;
}

function broken(
  rules: PropertyRules,
  value: unknown,
  path: readonly PropertyKey[],
): Wrong | undefined {
  const constraint = brokenBy(rules, value);
  if (constraint === undefined) return undefined;
  return { path, what: `breaks its ${constraint}`, constraint };
}

const IN_WORDS = {
  json: 'a value of JSON',
  array: 'an array',
  text: 'a well-formed text',
  blob: 'a Blob or a Uint8Array',
  bytes: 'a Uint8Array',
} as const;

/** Whether a value has the type of a property with parts, whatever its constraints are. */
export function isOfKind(kind: Parted['kind'], value: unknown): boolean {
  if (kind === 'json') return value !== undefined && value !== null;
  if (kind === 'array') return Array.isArray(value);
  if (kind === 'text') return typeof value === 'string' && isWellFormed(value);
  return isBytes(value) || (kind === 'blob' && isBlob(value));
}

// ------------------------------------------------------------------- stored form

/** The text that is stored. A value of another kind, which is refused, has an empty text. */
export function jsonOf({ kind, item }: Parted, value: unknown): string {
  if (kind === 'text') return typeof value === 'string' ? value : '';
  try {
    const json = item ? (value as unknown[]).map((one) => jsonItem(one, item)) : value;
    return JSON.stringify(json) ?? '';
  } catch {
    return '';
  }
}

/** An item of an array in its JSON. */
export function jsonItem(value: unknown, item?: PropertyRules): unknown {
  if (typeof value === 'bigint') return String(value);
  if (isDate(value)) return value.toISOString();
  // The store writes Guids in lower case.
  return item?.type === 'Guid' ? String(value).toLowerCase() : value;
}

/**
 * Gives rows the values of a property in place of their texts. A text that is no JSON stays. To
 * parse many at once takes two thirds of the time. The number after each is in no text: two texts
 * that are no JSON must not make one value.
 */
export function parseTexts(rows: readonly Values[], name: string, parted: Parted): void {
  const { kind, item } = parted;
  if (kind !== 'json' && kind !== 'array') return;
  const found = rows.filter((row) => typeof row[name] === 'string');
  const together = found.length > 1 ? valuesOf(found.map((row) => row[name] as string)) : undefined;
  found.forEach((row, at) => {
    let value = together ? together[2 * at] : valueOf(row[name] as string);
    if (item && !Array.isArray(value)) return;
    if (item && item.type !== 'String') value = (value as []).map((one) => itemIn(item, one));
    define(row, name, value);
  });
}

// Each second one is a mark. Undefined, unless all texts are JSON.
function valuesOf(texts: readonly string[]): readonly unknown[] | undefined {
  const mark = Math.floor(Math.random() * 2 ** 30);
  const all = valueOf(`[${texts.join(`,${mark},`)},${mark}]`);
  if (!Array.isArray(all) || all.length !== 2 * texts.length) return undefined;
  return texts.every((_, at) => all[2 * at + 1] === mark) ? all : undefined;
}

// The text itself, if it is no JSON.
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function itemIn({ type, constraints }: PropertyRules, value: unknown): unknown {
  if (type === 'Int64' && /^-?\d+$/.test(String(value))) return BigInt(value as string);
  if (type !== 'DateTime' || constraints['precise'] || typeof value !== 'string') return value;
  const date = new Date(value);
  return isDate(date) && !Number.isNaN(date.getTime()) ? date : value;
}
