/**
 * What calls of an account say of a table.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import { explained } from './failures.js';
import type { DeclaredTable } from './typed-table.js';

/**
 * Returns the name of a table.
 *
 * @throws {@link TableError} `InvalidInput`.
 */
export function checkedName(name: unknown): string {
  if (typeof name === 'string') return name;
  throw invalidInput(`The name of a table must be a string, not ${shown(name)}.`);
}

/** Does some work, whose errors name the table. */
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
export function checkedDefinition<T extends DeclaredTable<unknown, unknown>>(definition: T): T {
  if (isObject(definition) && 'typed' in definition) return definition;
  throw invalidInput(`A declared table is from defineTable(), not ${shown(definition)}.`);
}
