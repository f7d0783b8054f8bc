/**
 * What an app says of the rows of a table, as the core takes it: keys, filters, orders, names.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { hasMethod, isDate, isObject } from '../base/kinds.js';
import { shown, shownValue } from '../base/shown.js';
import { wireName } from '../base/system-names.js';
import { keysOf, type EntityKeys } from '../entity/keys.js';
import type { AppNames } from '../entity/row-form.js';
import { filterWith, storedAlone } from './filter-text.js';
import type { PropertyDefinition } from './properties.js';
import type { RowKeys } from './row-keys.js';
import { partedOperand, textFunctions } from './where-parts.js';
import { ALWAYS, checkCondition, operandsOf, operandWithKeys, type Condition } from './where.js';

/** A table, and its keys if they are fields of its rows. */
export interface NamedTable {
  readonly tableName: string;
  readonly properties: Readonly<Record<string, PropertyDefinition>>;
  readonly rowKeys: RowKeys | undefined;
}

const DECLARED_KEYS = ['partitionKey', 'rowKey'];

/** See the interface. */
export class NamesOfTable implements AppNames {
  readonly keys: readonly string[];
  readonly inWords: AppNames['inWords'];
  readonly #table: NamedTable;
  readonly #rowKeys: RowKeys | undefined;

  constructor(table: NamedTable) {
    const { rowKeys } = table;
    this.#table = table;
    this.#rowKeys = rowKeys;
    this.keys = rowKeys?.names ?? DECLARED_KEYS;
    this.inWords = rowKeys && ((stored) => wordsWith(rowKeys, stored));
  }

  keysOf(given: unknown): EntityKeys {
    const isOne = this.keys.length === 1 && (!isObject(given) || isDate(given));
    const fields = isOne ? { [this.keys[0]!]: given } : given;
    if (!isObject(fields) || hasMethod(fields, 'then')) {
      const names = this.keys.join(', ');
      throw invalidInput(`A row is named by an object with ${names}, not ${shown(given)}.`);
    }
    return this.#rowKeys ? this.#rowKeys.encode(fields) : keysOf(fields);
  }

  fieldsOf(stored: EntityKeys): Record<string, unknown> {
    return this.#rowKeys ? this.#rowKeys.decode(stored) : { ...stored };
  }

  filterOf(where: unknown, dialect?: 'extended'): string | undefined {
    const rowKeys = this.#rowKeys;
    const { tableName, properties } = this.#table;
    if (typeof where !== 'function') {
      // A property with a dollar sign before such a name is stored without it.
      const text = (where as string | undefined)?.replace(SYSTEM_NAME, (found) =>
        `$${found}` in properties ? found : wireName(found),
      );
      return rowKeys && text !== undefined ? filterWith(rowKeys, text) : text;
    }
    const make = operandWithKeys(rowKeys);
    const operands = operandsOf(tableName, properties, (name, rules) => {
      if (!dialect) return make(name, rules);
      if (rules.parted) return partedOperand(name, rules);
      if (rules.type !== 'String') return make(name, rules);
      const stored = () => (this.#isKey(name) ? storedAlone(rowKeys!, name) : wireName(name));
      return { ...make(name, rules), ...textFunctions(stored) };
    });
    const condition = checkCondition((where as (operands: object) => Condition)(operands));
    // All rows need no filter; and what needs one is not called with every row by mistake.
    return condition === ALWAYS ? undefined : condition.text;
  }

  orderOf(terms: readonly string[]): readonly string[] {
    const rowKeys = this.#rowKeys;
    return rowKeys ? orderWith(rowKeys, terms.map(termOf), (name) => this.#known(name)) : terms;
  }

  storedName(name: string): string {
    if (!this.#isKey(this.#known(name))) return name;
    const { stored, isText } = this.#rowKeys!.partOf(name);
    if (isText) return stored;
    throw invalidInput(
      `The field ${shown(name)} is a part of the ${wireName(stored)}, or no text: only filters ` +
        'and orders can have it.',
    );
  }

  valueOf(name: string, value: unknown): unknown {
    if (!this.#isKey(name) || typeof value !== 'string') return value;
    const { stored } = this.#rowKeys!.partOf(name);
    return this.#rowKeys!.decode({ [stored]: value })[name];
  }

  selectOf(select: readonly string[]): string[] {
    const others = select.filter((name) => !this.#isKey(this.#known(name)));
    return [...new Set([...DECLARED_KEYS, 'etag', ...others])];
  }

  inNames(text: string): string {
    const rowKeys = this.#rowKeys;
    if (!rowKeys) return text;
    return text.replace(STORED_NAME, (stored) => {
      const [partition, row] = rowKeys.fields;
      const [, names] = (/^p/i.test(stored) ? partition : row)!;
      return names.length ? names.join('+') : stored;
    });
  }

  #isKey(name: string): boolean {
    return this.#rowKeys?.names.includes(name) ?? false;
  }

  #known(name: string): string {
    const { tableName, properties } = this.#table;
    if ([...Object.keys(properties), 'timestamp', 'etag'].includes(name)) return name;
    throw invalidInput(`The table ${tableName} declares no property ${shown(name)}.`);
  }
}

// In the text of a filter; a text in quotes has no wire name of its own.
const SYSTEM_NAME =
  /'(?:[^']|'')*'|(?<![\p{L}\p{N}_])(?:partitionKey|rowKey|timestamp)(?![\p{L}\p{N}_])/gu;

const STORED_NAME = /\b(PartitionKey|RowKey|partitionKey|rowKey)\b/g;

function wordsWith(keys: RowKeys, stored: Partial<EntityKeys>): string[] {
  try {
    return Object.entries(keys.decode(stored)).map(
      ([name, value]) => `${name} ${shownValue(value)}`,
    );
  } catch {
    // Another program has stored it.
    return Object.entries(stored).flatMap(([name, key]) =>
      key === undefined ? [] : `${wireName(name)} ${shownValue(key)}`,
    );
  }
}

// -------------------------------------------------------------------- orders

interface Term {
  readonly name: string;
  readonly direction: string;
}

function termOf(text: string): Term {
  const [name = '', direction = 'asc', ...rest] = text.trim().split(/\s+/);
  return { name, direction: [direction, ...rest].join(' ') };
}

const OPPOSITE: Readonly<Record<string, string>> = { asc: 'desc', desc: 'asc' };

function directionInKey(keys: RowKeys, { name, direction }: Term): string {
  const isDescending = keys.names.includes(name) && keys.fieldOf(name).isDescending;
  return isDescending ? (OPPOSITE[direction] ?? direction) : direction;
}

// The fields of a key, in their order, are the order of the key. If nothing follows, some of the
// first ones are enough.
function orderWith(
  keys: RowKeys,
  terms: readonly Term[],
  checked: (name: string) => string,
): string[] {
  const stored: string[] = [];
  for (let at = 0; at < terms.length;) {
    const { name, direction } = terms[at]!;
    const part = keys.fields.find(([, names]) => names.includes(name));
    if (!part) {
      stored.push(`${checked(name)} ${direction}`);
      at++;
      continue;
    }
    const [key, names] = part;
    const given = terms.slice(at, at + names.length);
    const [directionOfKey = '', ...others] = given.map((term) => directionInKey(keys, term));
    const isOne = others.every((one) => one === directionOfKey);
    const fits = isOne && given.every((term, i) => term.name === names[i]);
    const isEnough = given.length === names.length || at + given.length === terms.length;
    if (!fits || !isEnough) {
      throw invalidInput(
        `An order by ${shown(name)} has ${names.join(', ')} one after another, in the directions ` +
          'of the key or all in the other ones, because these fields are one key.',
      );
    }
    stored.push(`${key} ${directionOfKey}`);
    at += given.length;
  }
  // With one partition, that is the order of the keys. It is the core's, if it names both.
  const isOfKeys = keys.fields[0]?.[1].length === 0 && stored[0] === 'rowKey asc';
  return isOfKeys ? ['partitionKey asc', ...stored] : stored;
}
