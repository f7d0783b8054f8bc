/**
 * Rows as writes store them, and rows of what reads return.
 *
 * @module
 */

import { base64ToBytes } from '../base/base64.js';
import { TableError } from '../base/errors.js';
import { hasMethod, isDate, isObject } from '../base/kinds.js';
import { TICKS_PER_MS } from '../base/limits.js';
import { own } from '../base/own.js';
import { shown } from '../base/shown.js';
import { isInt32 } from '../entity/edm.js';
import { define, isRemoval } from '../entity/json.js';
import { keyTexts } from '../entity/keys.js';
import { isPrecise } from './constraints.js';
import { copiedValue, parseTexts } from './parted-values.js';
import { joinedValue, removeParts, storeParts, type BlobContents } from './parts.js';
import type { PropertyRules } from './properties.js';
import { storedUnderAnotherKey, withHiddenKeys, type RowKeys } from './row-keys.js';
import type { TableProperties } from './rows.js';
import { convertedNumber, copied, fitsType, ticksOf } from './values.js';
import { versionProperty, type Versions } from './versions.js';

type Values = Record<string, unknown>;

// The keys are members of rows that come from within, too.
const SYSTEM = ['etag', 'timestamp', 'partitionKey', 'rowKey'];

/** What is declared of the rows of a table. */
export interface KeyedTable {
  readonly properties: TableProperties;
  /** Missing, if the keys are properties of the rows. */
  readonly rowKeys?: RowKeys | undefined;
}

const isStoredKey = (name: string) => name === 'partitionKey' || name === 'rowKey';

/**
 * A copy of a row without members that have no value. Declared properties have the form of their
 * type. With `drops`, it has only known members. In a part of a row, null removes a declared
 * property, so it stays. The caller may change the row, and all in it.
 *
 * @throws {@link TableError} `SchemaViolation`, if a member cannot be read.
 */
export function copyOf(
  properties: TableProperties,
  row: object,
  drops: boolean,
  isPart = false,
): Values {
  const copy: Values = {};
  let reading: string | undefined;
  try {
    for (const name of Object.keys(row)) {
      reading = name;
      const given = (row as Values)[name];
      const rules = rulesOf(properties, name);
      const isKnown = !drops || rules || SYSTEM.includes(name);
      const value = rules ? copiedValue(rules, plainValue(rules, given)) : copied(given);
      const isMissing = value === null ? !isPart || !rules || isKey(name) : value === undefined;
      if (!isMissing && isKnown) define(copy, name, value);
    }
  } catch (cause) {
    // It has a getter, or is a proxy.
    const what = reading === undefined ? 'The row' : `Property ${shown(reading)}`;
    throw failed(`${what} cannot be read.`, copy, cause);
  }
  return copy;
}

const isKey = (name: string) => name === 'partitionKey' || name === 'rowKey';

/**
 * Gives a row the defaults of the properties that it lacks; of `among` alone, if it is given.
 *
 * @throws {@link TableError} `SchemaViolation`, if a default throws an error or is a promise.
 */
export function fillDefaults(
  properties: TableProperties,
  row: Values,
  among?: readonly string[],
): void {
  for (const [name, { rules }] of Object.entries(properties)) {
    const isMissing = rules.presence === 'default' && own(row, name) === undefined;
    if (isMissing && (!among || among.includes(name))) {
      define(row, name, copiedValue(rules, defaultOf(name, rules, row)));
    }
  }
}

function defaultOf(name: string, { default: given }: PropertyRules, row: Values): unknown {
  if (typeof given !== 'function') return given;
  let cause: unknown = 'It is a promise.';
  try {
    const value = (given as () => unknown)();
    if (!hasMethod(value, 'then')) return value;
  } catch (error) {
    cause = error;
  }
  throw failed(`The default of property ${shown(name)} has failed.`, row, cause);
}

/** The error of a row for which a function of the app fails. */
export function failed(message: string, row: Values, cause: unknown): TableError {
  const sentence = String(cause);
  return new TableError('SchemaViolation', message, { sentence, cause, ...keyTexts(row) });
}

/**
 * The entity to write for a row: every value says its declared type, if it has it. So does the
 * version. A version that the row has stays, for the core to refuse if it is another one.
 *
 * @param isPart - null removes a property.
 * @param contents - the bytes of all Blobs; without it, the entity is for checks alone.
 */
export function entityOf(
  { properties, rowKeys, options, parts }: StoredTable & { options: Versions },
  row: object,
  isPart = false,
  contents?: BlobContents,
): Values {
  const stored: Values = {};
  for (const [name, value] of Object.entries(row) as [string, unknown][]) {
    if (rowKeys?.names.includes(name)) continue;
    const rules = rulesOf(properties, name);
    if (!rules) {
      // It is refused.
      if (!parts?.has(name)) define(stored, name, value);
    } else if (value === null) {
      if (isPart) removeParts(stored, name, rules);
    } else if (rules.parted) {
      storeParts(stored, name, rules, value, isPart, contents);
    } else {
      define(stored, name, typedValue(rules, value));
    }
  }
  // What is wrong with its fields is among the issues of the row.
  const { done } = rowKeys?.problems(row).next() ?? {};
  if (done) Object.assign(stored, rowKeys!.encode(row));
  const version = versionProperty(options);
  if (version !== undefined) {
    const given = own(stored, version) ?? options.version;
    define(stored, version, typedValue(VERSION_RULES, given));
  }
  return stored;
}

type ValueRules = Pick<PropertyRules, 'type' | 'constraints'>;

const VERSION_RULES: ValueRules = { type: 'Int32', constraints: {} };

/** What is declared of a property, if it is declared. */
export function rulesOf(properties: TableProperties, name: string): PropertyRules | undefined {
  return Object.hasOwn(properties, name) ? properties[name]!.rules : undefined;
}

// A plain number would keep the type of a stored Double. A value of another type stays as it is,
// for the core to refuse.
function typedValue({ type, constraints }: ValueRules, value: unknown): unknown {
  const isNumber = typeof value === 'number' && (type === 'Double' || isInt32(value));
  const isText =
    typeof value === 'string' &&
    (type === 'Guid' || (type === 'DateTime' && constraints['precise'] === true));
  return (isNumber && /Double|Int32/.test(type)) || isText ? { type, value } : value;
}

/** A table as its rows are stored. */
export interface StoredTable extends KeyedTable {
  /** The property of each name of a further part; missing, if no property has parts. */
  readonly parts?: ReadonlyMap<string, string> | undefined;
}

/**
 * The rows of entities that were read; without selected members that are missing. What a merge
 * removes is null.
 *
 * @param hidesKeys - whether the rows have their stored keys, too, for what compares them.
 * @throws {@link TableError} `SchemaViolation`, if a value has a wrong number of parts.
 */
export function rowsOf(
  table: StoredTable,
  entities: readonly object[],
  hidesKeys = true,
): Values[] {
  const rows = entities.map((entity) => textRowOf(table, entity, hidesKeys));
  if (!table.parts) return rows;
  for (const [name, { rules }] of Object.entries(table.properties)) {
    if (rules.parted) parseTexts(rows, name, rules.parted);
  }
  return rows;
}

/** The same for one entity. */
export const rowOf = (table: StoredTable, entity: object): Values => rowsOf(table, [entity])[0]!;

// Values of JSON are texts still.
function textRowOf(
  { properties, rowKeys, parts }: StoredTable,
  entity: object,
  hidesKeys: boolean,
): Values {
  const row: Values = rowKeys ? rowKeys.decode(entity) : {};
  if (rowKeys && hidesKeys) withHiddenKeys(row, entity);
  const values = entity as Values;
  for (const name of Object.keys(entity)) {
    const value = values[name];
    if (value === null || (rowKeys && isStoredKey(name))) continue;
    const rules = rulesOf(properties, name);
    if (isRemoval(value)) {
      if (rules) define(row, name, null);
    } else if (rules?.parted && parts) {
      define(row, name, joinedValue(values, name, rules, plainValue));
    } else if (rules) {
      const converted = convertedValue(rules, value);
      if (rowKeys?.names.includes(name)) checkField(name, row[name], converted);
      define(row, name, converted);
    } else {
      const owner = parts?.get(name);
      if (owner === undefined) define(row, name, value);
      else joinedValue(values, owner, rulesOf(properties, owner)!, plainValue, true);
    }
  }
  return row;
}

// Another program may store a field of the key as a property, too.
function checkField(name: string, ofKey: unknown, stored: unknown): void {
  const isSame = isDate(ofKey) && isDate(stored) ? +ofKey === +stored : ofKey === stored;
  if (!isSame) throw storedUnderAnotherKey(name, stored, ofKey);
}

/** A row with each number in its declared type. */
export const convertedRow = (properties: TableProperties, row: object): Values =>
  textRowOf({ properties }, row, true);

// A number that was stored under another type is converted if nothing is lost.
function convertedValue(rules: PropertyRules, given: unknown): unknown {
  const value = plainValue(rules, given);
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return isNumber ? convertedNumber(rules.type, value) : value;
}

/**
 * A value in the form that its declared type has in JavaScript. A value that has no such form stays
 * as it is: one of another type, or a time with parts of a millisecond that a Date would lose.
 */
function plainValue(rules: PropertyRules, given: unknown): unknown {
  const { type, parted } = rules;
  // A value of JSON may look like one with a type.
  if (parted?.kind === 'json') return given;
  const isTyped = isObject(given) && 'value' in given && 'type' in given && given.type === type;
  const value = isTyped ? given.value : given;
  if (type === 'DateTime' && isPrecise(rules)) {
    return isDate(value) && ticksOf(value) >= 0n ? value.toISOString() : value;
  }
  if (!isTyped || typeof value !== 'string') return value;
  switch (type) {
    case 'DateTime':
      return ticksOf(value) % BigInt(TICKS_PER_MS) === 0n ? new Date(value) : given;
    case 'Int64':
      return /^-?\d{1,19}$/.test(value) ? BigInt(value) : given;
    case 'Binary':
      return bytesOf(value) ?? given;
    default:
      return value;
  }
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return base64ToBytes(base64);
  } catch {
    return undefined;
  }
}

/** The value that checks get: of a time between two milliseconds, the first of these. */
export function checkedValue(rules: PropertyRules, value: unknown): unknown {
  const isTyped = rules.type === 'DateTime' && isObject(value) && 'value' in value;
  return isTyped && fitsType('DateTime', true, value.value)
    ? new Date(value.value as string)
    : value;
}
