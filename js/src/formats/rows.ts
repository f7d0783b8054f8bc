/**
 * Entities as rows, and rows as CSV.
 *
 * @module
 */

import { bytesToBase64 } from '../base/base64.js';
import { isBytes, isDate, isObject } from '../base/kinds.js';
import { own } from '../base/own.js';
import { apiName, wireName } from '../base/system-names.js';
import type { EdmTypes } from '../entity/edm.js';
import { withGuard } from './formulas.js';

/** A property with its type. */
export interface TypedCell {
  readonly type: EdmTypes;
  readonly value: unknown;
}

/**
 * An entity, whose properties are cells with their types, or a group, whose values have none. The
 * properties of the system have their names here. A missing value is null or undefined.
 */
export type Row = Readonly<Record<string, unknown>>;

const SYSTEM = ['partitionKey', 'rowKey', 'timestamp'];

/**
 * The names of all properties, those of the system first, the others as they come.
 *
 * @param first - names that come before all others, in their order.
 */
export function namesIn(rows: Iterable<Row>, first: readonly string[] = []): string[] {
  const all = namesOf(rows);
  const chosen = first.map(apiName).filter((name) => all.includes(name));
  return [...new Set([...chosen, ...all])];
}

function namesOf(rows: Iterable<Row>): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return inOrder(names);
}

/** The same for names that are known; it changes the set. */
export function inOrder(names: Set<string>): string[] {
  names.delete('etag');
  return [...SYSTEM.filter((name) => names.delete(name)), ...names];
}

/** How CSV is written. */
export interface CsvStyle {
  /**
   * As Azure Storage Explorer reads and writes it: the type of each property is in a column beside
   * it.
   */
  readonly withTypes: boolean;
  /** Whether it begins with a byte order mark. */
  readonly hasMark?: boolean;
  /** Whether no cell is a formula: see `formulas.ts`. */
  readonly isGuarded?: boolean;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** The head of CSV without the end of the line, which is CR and LF (RFC 4180). */
export function csvHead(names: readonly string[], { withTypes, hasMark }: CsvStyle): string {
  const cells = names.flatMap((name) => {
    const written = wireName(name);
    return withTypes && !SYSTEM.includes(name) ? [written, `${written}@type`] : [written];
  });
  return `${hasMark ? BYTE_ORDER_MARK : ''}${cells.map(quoted).join()}`;
}

/** A row of the same CSV. */
export function csvLine(
  names: readonly string[],
  row: Row,
  { withTypes, isGuarded }: CsvStyle,
): string {
  const cells = names.flatMap((name) => {
    const cell = own(row, name);
    const text = isGuarded ? withGuard(textOf(cell)) : textOf(cell);
    return withTypes && !SYSTEM.includes(name) ? [text, typeOf(cell)] : [text];
  });
  return cells.map(quoted).join();
}

/** All lines of it. */
export function csvLines(
  names: readonly string[],
  rows: readonly Row[],
  style: CsvStyle,
): string[] {
  return [csvHead(names, style), ...rows.map((row) => csvLine(names, row, style))];
}

const isCell = (value: unknown): value is TypedCell => isObject(value) && 'type' in value;

const typeOf = (value: unknown) => (isCell(value) ? `Edm.${value.type}` : '');

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A value as in JSON, without quotes. */
export function textOf(cell: unknown): string {
  const value = isCell(cell) ? cell.value : cell;
  if (value === undefined || value === null) return '';
  if (isBytes(value)) return bytesToBase64(value);
  if (isDate(value)) return value.toISOString();
  return String(value as string | number | bigint | boolean);
}
