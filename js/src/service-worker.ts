/**
 * The whole main entry in one script. It loads nothing later, which service workers forbid, and so
 * it has no development warnings.
 *
 * @module
 */

import { loadValidatorWith, MODULE, openWith } from './client/shared.js';
import type { EntryModule } from './core/load-module.js';
import { RestOfModule } from './core/rest-of-module.js';
import type {
  AccountOptions,
  DeclaredTables,
  TableServiceClient,
  Validator,
  ValidatorOptions,
  WorkerAccountOptions,
} from './index.js';

export * from './index.js';

const MODULE_BESIDE: EntryModule = {
  kind: MODULE,
  // Bundlers find the files by exactly these expressions.
  source: () => new URL('./entitable-first.wasm', import.meta.url),
  rest: () => new RestOfModule(() => new URL('./entitable-rest.wasm', import.meta.url)),
  inlineEntry: 'entitable/inline',
  startWorker: () =>
    new Worker(new URL('./account-worker.js', import.meta.url), { type: 'module' }),
};

/** `openAccount` of `entitable`. */
export function openAccount<const Tables extends DeclaredTables = Record<never, never>>(
  options: AccountOptions<Tables> | WorkerAccountOptions<Tables>,
): Promise<TableServiceClient<Tables>> {
  return openWith(MODULE_BESIDE, options);
}

/** `loadValidator` of `entitable`. */
export function loadValidator(options?: ValidatorOptions): Promise<Validator> {
  return loadValidatorWith(MODULE_BESIDE, options);
}
