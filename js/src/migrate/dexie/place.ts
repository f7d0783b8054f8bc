/**
 * Where the data is.
 *
 * @module
 */

import { invalidInput } from '../../base/errors.js';
import { isObject } from '../../base/kinds.js';
import { shown } from '../../base/shown.js';
import type { DexieLike, SourceDatabase } from './models.js';

/** The place of the data: an open database, one of Dexie, or a name. */
export type Place = SourceDatabase | DexieLike | string;

/** Returns the name of a database, without opening it. */
export function nameOf(place: Place): string {
  if (typeof place === 'string' && place) return place;
  const { name } = (isObject(place) ? place : {}) as { name?: unknown };
  if (typeof name === 'string') return name;
  throw invalidInput(
    `importFromDexie takes a Dexie, an open IDBDatabase or a name, not ${shown(place)}.`,
  );
}
