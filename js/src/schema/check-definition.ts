/**
 * Checks of a table definition.
 *
 * @module
 */

import { isObject } from '../base/kinds.js';
import { own } from '../base/own.js';
import { shown } from '../base/shown.js';
import { checkRules, wrong } from './constraints.js';
import { checkIndexes } from './indexes.js';
import { checkParted } from './parted-definition.js';
import type { PropertyDefinition } from './properties.js';
import type { TableProperties } from './rows.js';
import type { TableOptions } from './table-options.js';
import { checkVersions, versionProperty } from './versions.js';

/** @throws TypeError, if there can be no such table. */
export function checkDefinition(
  name: string,
  properties: TableProperties,
  options: TableOptions,
): void {
  if (!/^(?!tables$)[a-z][a-z\d]{2,62}$/i.test(name)) {
    throw new TypeError(`${shown(name)} is not the name of a table: 3 to 63 letters and digits.`);
  }
  for (const [what, given] of Object.entries({ properties, options })) {
    if (isObject(given)) continue;
    throw new TypeError(`The ${what} of ${name} must be an object, not ${shown(given)}.`);
  }
  checkKeys(name, properties, options);
  for (const [property, definition] of Object.entries(properties)) {
    if (!isObject(definition) || !('rules' in definition)) {
      throw wrong(name, property, `is ${shown(definition)}, not a property of t`);
    }
    if (TAKEN.test(property)) {
      throw wrong(name, property, 'has a name that every entity has for itself; take another one');
    }
    if (!isName(property)) throw wrong(name, property, 'has a name that no property can have');
    if (isLiteral(property)) throw wrong(name, property, 'has a name that filters read as a value');
    checkRules(name, property, definition.rules);
    if (definition.rules.parted) checkParted(name, property, definition.rules, properties, isName);
  }
  checkOptions(name, properties, options);
}

function checkKeys(table: string, properties: TableProperties, { key }: TableOptions): void {
  if (key === undefined && !KEY_NAMES.some((name) => own(properties, name))) {
    throw new TypeError(
      `The table ${table} has no key. Give it the option key: the name of a property, or two.`,
    );
  }
  for (const name of KEY_NAMES) {
    const property = own(properties, name) as PropertyDefinition | undefined;
    if (key !== undefined) {
      if (property) throw wrong(table, name, 'is declared beside the option key');
      continue;
    }
    const { type, presence, parted } = property?.rules ?? {};
    if (type !== 'String' || presence !== 'required' || parted) {
      throw wrong(table, name, 'must be t.string(), and cannot be optional');
    }
  }
}

const KEY_NAMES = ['partitionKey', 'rowKey'] as const;

const OWN = /^(partitionKey|rowKey|\$(partitionKey|rowKey|timestamp|etag))$/;
const TAKEN = /^(PartitionKey|RowKey|Timestamp|timestamp|etag)$/;
const NAME = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]{0,254}$/u;
// The service takes them in entities, but no filter can name them. Source: query, 3.2 and 3.3.
const isLiteral = (name: string) =>
  /^(true|false)$/i.test(name) || /^(null|NaN|INF|Infinity)$/.test(name);

// The core knows the exact table of characters, and checks each write.
const isName = (name: string) => OWN.test(name) || (NAME.test(name) && !TAKEN.test(name));

const OPTIONS = [
  ...['unknownProperties', 'refine', 'indexes', 'description'],
  ...['version', 'upgrade', 'versionProperty', 'key', 'enforce'],
];

function checkOptions(table: string, properties: TableProperties, options: TableOptions): void {
  const fail = (what: string) => {
    throw new TypeError(`The table ${table} ${what}.`);
  };
  const unknownName = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknownName !== undefined) fail(`has no option ${shown(unknownName)}`);
  const { unknownProperties = 'keep', refine } = options;
  if (!['keep', 'reject', 'drop'].includes(unknownProperties)) {
    fail(`has the option unknownProperties ${shown(unknownProperties)}`);
  }
  const isCheck = typeof refine === 'function' && !('~standard' in refine);
  if (refine && !isCheck && typeof refine['~standard']?.validate !== 'function') {
    fail('has the option refine, which is neither a function nor a Standard Schema');
  }
  checkIndexes(fail, properties, options.indexes);
  checkVersions(fail, options);
  const version = versionProperty(options);
  if (version === undefined) return;
  if (Object.hasOwn(properties, version)) fail(`declares ${shown(version)}, which is its version`);
  if (!isName(version)) {
    fail(`has the versionProperty ${shown(version)}, which is not a valid property name`);
  }
}
