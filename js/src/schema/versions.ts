/**
 * The version of the rows of a table.
 *
 * @module
 */

import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import type { RowVersions } from '../entity/row-form.js';

/** Makes a row of the next version. It may change the row, and must not be a promise. */
export type Upgrade = { step(row: Record<string, unknown>): object }['step'];

/** Rows of older versions are upgraded when they are read. */
export interface Versions {
  /**
   * The version of the rows, from 1. Writes store it as a property of the row. A row without it has
   * version 1. So has each row of a table that declares none: a write over a row of a later version
   * is refused with `SchemaVersionTooNew`, unless the account is remote.
   */
  readonly version?: number;

  /** For each older version: makes a row of the next version. */
  readonly upgrade?: Readonly<Record<number, Upgrade>>;

  /** The name of the property that holds the version; by default `schemaVersion`. */
  readonly versionProperty?: string;
}

const DEFAULT_NAME = 'schemaVersion';

/** The latest version of rows that a definition knows, and the property that holds it. */
export interface KnownVersion {
  readonly version: number;
  readonly property: string;
}

/**
 * The version of a definition: no row of a later one is written over. A definition without a
 * version is version 1, unless it declares `schemaVersion` and means something else by it.
 */
export function knownVersion(
  versions: Versions,
  properties: Readonly<Record<string, unknown>>,
): KnownVersion | undefined {
  const property = versionProperty(versions) ?? DEFAULT_NAME;
  const { version } = versions;
  if (version !== undefined) return { property, version };
  return Object.hasOwn(properties, property) ? undefined : { property, version: 1 };
}

/** The name of the property that holds the version; undefined, if there are no versions. */
export function versionProperty({ version, versionProperty: name }: Versions): string | undefined {
  return version === undefined ? undefined : (name ?? DEFAULT_NAME);
}

/** The versions of the rows of a table; undefined, if it declares none. */
export function rowVersions(versions: Versions): RowVersions | undefined {
  const property = versionProperty(versions);
  return property === undefined
    ? undefined
    : { property, version: versions.version!, upgrade: versions.upgrade ?? {} };
}

/** Calls `fail`, if the versions are invalid. */
export function checkVersions(fail: (what: string) => void, versions: Versions): void {
  const { version, upgrade, versionProperty: name } = versions;
  if (version === undefined) {
    if (upgrade || name !== undefined) fail('has upgrades or a versionProperty, but no version');
    return;
  }
  if (!Number.isInteger(version) || version < 1 || version >= 2 ** 31) {
    fail(`has the version ${shown(version)}, which is not a whole number from 1`);
  }
  for (const from of Object.keys(upgrade ?? {})) {
    if (!(Number(from) >= 1 && Number(from) < version)) fail(`has no version ${from} to upgrade`);
  }
  for (let from = 1; from < version; from++) {
    if (typeof upgrade?.[from] !== 'function') fail(`has no upgrade from version ${from}`);
  }
}

/** The version in a row whose properties may say their types. */
export const untyped = (version: unknown): unknown =>
  isObject(version) && 'value' in version ? version.value : version;
