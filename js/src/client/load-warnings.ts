/**
 * Loads the script of development warnings.
 *
 * @module
 */

import type { DevelopmentWarning } from '../warnings/models.js';
import { loaded } from '../base/loaded.js';
import type { DeclaredTables } from './opened-account.js';
import type { TableServiceClient } from './table-service-client.js';

// A bundler puts the value in place of exactly `process.env.NODE_ENV`.
declare const process: { readonly env: { readonly NODE_ENV?: string } };

type Given = boolean | ((warning: DevelopmentWarning) => void) | undefined;
type Script = Promise<typeof import('../warnings/watch.js')>;

/**
 * Returns what watches an account, or undefined if warnings are off.
 *
 * @internal
 * @param given - the option `developmentWarnings`.
 */
export async function loadWarnings(
  given: Given,
): Promise<((account: TableServiceClient, tables?: DeclaredTables) => void) | undefined> {
  const script = scriptOf(given);
  if (!script) return undefined;
  const { watch } = await loaded(script);
  return (account, tables) => watch(account, given, tables);
}

// Undefined in production. A bundler sees that, and leaves the script out of what it builds.
function scriptOf(given: Given): Script | undefined {
  // Deno would ask its user for a permission.
  if (given === undefined && 'Deno' in globalThis) return undefined;
  try {
    const isOn = given ?? process.env.NODE_ENV === 'development';
    return process.env.NODE_ENV !== 'production' && isOn
      ? import('../warnings/watch.js')
      : undefined;
  } catch {
    // A page that no bundler has built has no process. There the script is beside `shared.ts` as it
    // is here. Bundlers do not follow a joined text.
    const path = ['..', 'warnings', 'watch.js'].join('/');
    return given
      ? (import(/* webpackIgnore: true */ /* @vite-ignore */ path) as Script)
      : undefined;
  }
}
