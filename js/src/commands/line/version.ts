/**
 * The version of the package.
 *
 * @module
 */

import { readFileSync } from 'node:fs';

/** As in `package.json`. The build puts this code into scripts of a folder beside that file. */
export function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
