/**
 * A server of accounts inside a program, on Node: what the command `entitable serve` starts.
 *
 * @module
 */

export type { ServedRequest } from './cli/log.js';
export type { AccountAddress, TableServer } from './cli/serve.js';
export { startServer } from './cli/serve.js';
export type { Certificate, ServerAccount, ServerOptions } from './cli/server-options.js';
export type { Durability } from './storage/page-storage.js';
