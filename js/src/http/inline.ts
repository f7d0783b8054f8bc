/**
 * `entitable/http` with the WebAssembly module inside, as text.
 *
 * @module
 */

import type { AccountOptions } from '../client/open-account.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import type { EntryModule } from '../core/load-module.js';
import { moduleOfText } from '../core/module-text.js';
import type { ConnectionOptions } from './connection-string.js';
import { MODULE, openWith, optionsOf } from './shared.js';

export type * from '../http.js';
export {
  createTableExchange,
  createTableHandler,
  DEVELOPMENT_ACCOUNT,
  generateAccountSas,
  generateTableSas,
  inProcessHttpClient,
  parseConnectionString,
} from './shared.js';

const MODULE_INSIDE: EntryModule = {
  kind: MODULE,
  source: moduleOfText(() => import('#entitable-http-text')),
};

/** `openAccount` of `entitable/http`, with the module of this entry. */
export function openAccount(options: AccountOptions): Promise<TableServiceClient> {
  return openWith(MODULE_INSIDE, options);
}

/** `fromConnectionString` of `entitable/http`, with the module of this entry. */
export async function fromConnectionString(
  text: string,
  options: ConnectionOptions,
): Promise<TableServiceClient> {
  return openAccount(optionsOf(text, options));
}
