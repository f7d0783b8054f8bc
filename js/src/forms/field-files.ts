/**
 * The files of a control.
 *
 * @module
 */

import { bytesOf } from './form-rows.js';

/** The bytes of files; undefined, if one of them cannot be read, because it was removed. */
export async function bytesIn(files: readonly Blob[]): Promise<Uint8Array[] | undefined> {
  try {
    return await Promise.all(files.map(bytesOf));
  } catch {
    return undefined;
  }
}
