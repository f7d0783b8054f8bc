/**
 * Checks of the tables that are given to the calls of an account.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import { isCovering, type TableIndex, type TableIndexes } from '../entity/indexes.js';
import type { TableDefinition } from '../schema/table-definition.js';
import { explained } from './failures.js';

/**
 * Returns the name of a table.
 *
 * @throws {@link TableError} `InvalidInput`.
 */
export function checkedName(name: unknown): string {
  if (typeof name === 'string') return name;
  throw invalidInput(`The name of a table must be a string, not ${shown(name)}.`);
}

/** Runs some work. If it fails, the error names the table. */
export async function aboutTable<T>(table: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(error, { table });
  }
}

/**
 * Returns a declared table.
 *
 * @throws {@link TableError} `InvalidInput`.
 */
export function checkedDefinition<T extends TableDefinition>(definition: T): T {
  if (isObject(definition) && 'bytes' in definition) return definition;
  throw invalidInput(`A declared table is from defineTable(), not ${shown(definition)}.`);
}

/**
 * Returns a copy of declared tables.
 *
 * @param owner - the function that got them, for messages.
 * @throws {@link TableError} `InvalidInput`.
 */
export function checkedTables(
  owner: string,
  given: unknown,
): Readonly<Record<string, TableDefinition>> {
  if (!isObject(given) || Array.isArray(given)) {
    throw invalidInput(
      `${owner} takes an object of tables from defineTable(), not ${shown(given)}.`,
    );
  }
  const tables = { ...given } as Record<string, TableDefinition>;
  const named = new Map<string, string>();
  for (const [name, definition] of Object.entries(tables)) {
    const { tableName } = checkedDefinition(definition);
    const other = named.get(tableName.toLowerCase());
    if (other !== undefined) {
      throw invalidInput(`${owner} has the table ${tableName} twice: as ${other} and as ${name}.`);
    }
    named.set(tableName.toLowerCase(), name);
  }
  return tables;
}

/**
 * Returns a copy of the indexes that a caller has declared.
 *
 * @throws {@link TableError} `InvalidInput`.
 */
export function checkedIndexes(given: TableDefinition | TableIndexes): TableIndexes {
  if (isObject(given)) {
    const { tableName, indexes } = given;
    // Array.from() also visits the gaps of a list.
    const areIndexes = Array.isArray(indexes) && Array.from<unknown>(indexes).every(isIndex);
    if (typeof tableName === 'string' && areIndexes) return { tableName, indexes: copyOf(indexes) };
  }
  throw invalidInput(
    "updateIndexes() takes a table from defineTable(), or { tableName, indexes: [['email']] }, not " +
      `${shown(given)}.`,
  );
}

const copyOf = (indexes: readonly TableIndex[]) =>
  indexes.map((index): TableIndex =>
    isCovering(index)
      ? { by: [...index.by], include: index.include === 'all' ? 'all' : [...index.include] }
      : [...(index as readonly string[])],
  );

function isIndex(index: unknown): boolean {
  if (!isObject(index) || Array.isArray(index)) return isListOfTexts(index);
  const { by, include } = index as { by?: unknown; include?: unknown };
  return isListOfTexts(by) && (include === 'all' || isListOfTexts(include));
}

const isListOfTexts = (index: unknown): boolean =>
  Array.isArray(index) &&
  index.length > 0 &&
  Array.from<unknown>(index).every((term) => typeof term === 'string');
