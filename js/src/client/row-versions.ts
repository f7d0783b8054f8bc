/**
 * Rows of older versions, which are upgraded when they are read.
 *
 * @module
 */

import { TableError, type TableErrorOptions } from '../base/errors.js';
import { hasMethod, isObject } from '../base/kinds.js';
import { shown, shownValue } from '../base/shown.js';
import type { Violation } from '../base/violation.js';
import { keyTexts } from '../entity/keys.js';
import { versionProperty, type Versions } from './versions.js';

// Another writer may have stored any value there.
function versionOf(row: Readonly<Record<string, unknown>>, name: string): number {
  const stored = row[name] ?? 1;
  const version = typeof stored === 'bigint' ? Number(stored) : stored;
  if (Number.isInteger(version) && (version as number) >= 1) return version as number;
  const message = 'A row has a version that no upgrade is for.';
  const explanation = `Property ${shown(name)} holds ${shownValue(stored)}, which is not a whole number from 1.`;
  const violation = { rule: 'schema-enum', code: 'SchemaViolation', path: name } as const;
  throw new TableError('SchemaViolation', message, {
    sentence: explanation,
    violations: [{ ...violation, message, explanation }],
    ...keyTexts(row),
  });
}

/**
 * Returns the version of a row.
 *
 * @throws {@link TableError} `SchemaVersionTooNew`, if a later version of the app wrote it;
 * `SchemaViolation`, if its version is no whole number from 1.
 */
export function knownVersionOf(versions: Versions, row: Readonly<Record<string, unknown>>): number {
  const name = versionProperty(versions)!;
  const stored = versionOf(row, name);
  if (stored <= versions.version!) return stored;
  throw new TableError('SchemaVersionTooNew', 'A row is of a newer version than this app knows.', {
    sentence: `It has the ${name} ${stored}; this app knows ${versions.version}.`,
    ...keyTexts(row),
  });
}

/**
 * Returns a row in the newest form, without the property that holds the version.
 *
 * @param check - returns what is wrong with a row that was upgraded.
 * @throws {@link TableError} as `knownVersionOf`; `SchemaViolation`, if an upgrade fails, or makes
 * what is no row of the table.
 */
export function upgraded(
  versions: Versions,
  row: Record<string, unknown>,
  check: (row: Record<string, unknown>) => readonly Violation[],
): Record<string, unknown> {
  const stored = knownVersionOf(versions, row);
  const { [versionProperty(versions)!]: _, ...old } = row;
  if (stored === versions.version) return old;
  const system = Object.entries(old).filter(([one]) => SYSTEM.includes(one));
  const fail = (from: number, what: string, more: TableErrorOptions = {}) =>
    new TableError('SchemaViolation', 'The upgrade of a row has failed.', {
      sentence: `The upgrade from version ${from} ${what}`,
      ...keyTexts(row),
      ...more,
    });
  let current = old;
  for (let from = stored; from < versions.version!; from++) {
    let next: unknown;
    try {
      next = versions.upgrade![from]!(current);
    } catch (cause) {
      throw fail(from, `threw an error: ${String(cause)}`, { cause });
    }
    if (!isObject(next) || Array.isArray(next) || hasMethod(next, 'then')) {
      const what = hasMethod(next, 'then') ? 'a promise' : shown(next);
      throw fail(from, `returned ${what}, which is not a row.`);
    }
    current = { ...next };
  }
  const newest = { ...current, ...Object.fromEntries(system) };
  const violations = check(newest);
  const [first] = violations;
  if (!first) return newest;
  const broken = `to ${versions.version} made a row that breaks the table: ${first.explanation}`;
  throw fail(stored, broken, { violations });
}

// No upgrade changes them.
const SYSTEM = ['partitionKey', 'rowKey', 'etag', 'timestamp'];
