/**
 * The files of a control.
 *
 * @module
 */

import type { PropertyRules } from '../schema/properties.js';
import { fileValue } from './form-rows.js';

/** The values of files; undefined, if one of them cannot be read, because it was removed. */
export async function valuesOf(
  rules: PropertyRules,
  files: readonly Blob[],
): Promise<(Blob | Uint8Array)[] | undefined> {
  try {
    return await Promise.all(files.map(async (file) => await fileValue(rules, file)));
  } catch {
    return undefined;
  }
}
