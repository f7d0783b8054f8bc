/**
 * Loads scripts of the package on demand.
 *
 * @module
 */

import { TableError } from './errors.js';

/**
 * Waits for a script of the package.
 *
 * @throws {@link TableError} `ScriptNotLoaded`, with the cause: there is no network, say. The next
 * call tries again. Some browsers try only once for each load of a page.
 */
export function loaded<T>(script: Promise<T>, { stored }: { stored?: number } = {}): Promise<T> {
  return script.catch((cause: unknown) => {
    const sentence =
      'ServiceWorkerGlobalScope' in globalThis
        ? 'A service worker cannot load scripts later: import entitable/service-worker instead.'
        : 'The account is not affected: try again when there is a connection.';
    const message = 'A script of the package cannot be loaded.';
    throw new TableError('ScriptNotLoaded', message, { stored, sentence, cause });
  });
}
