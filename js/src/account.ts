/**
 * What runs on the module that is a file: accounts and validators.
 *
 * @module
 */

import { loadModule } from './load.js';
import {
  openWith,
  validatorWith,
  type AccountOptions,
  type TableServiceClient,
  type ValidatorOptions,
} from './shared.js';
import type { Validator } from './validator.js';

/**
 * Opens an account, and makes it if the storage is empty.
 *
 * @example
 * ```ts
 * const account = await openAccount({ storage: indexedDbStorage('my-app') });
 * await account.createTable('Pets');
 * ```
 * @throws {@link TableError} `InvalidInput`, if an option is unknown or has a value of another kind;
 * `StorageUnavailable`, if the storage cannot be used here; `ModuleAborted`, if the WebAssembly
 * module cannot be loaded; each with its cause.
 */
export function openAccount(options: AccountOptions): Promise<TableServiceClient> {
  return openWith(loadModule, options);
}

/**
 * Loads the module, after which every check is a plain call.
 *
 * @example
 * ```ts
 * const validator = await loadValidator();
 * const [first] = validator.validateEntity({ partitionKey: 'p', rowKey: 'a/b' });
 * console.log(first?.rule, first?.path, first?.position); // key-character rowKey 1
 * ```
 * @throws {@link TableError} `InvalidInput`, if an option is unknown; `ModuleAborted`, with the cause,
 * if the module cannot be loaded.
 */
export function loadValidator(options?: ValidatorOptions): Promise<Validator> {
  return validatorWith(loadModule, options);
}
