/**
 * A server of accounts inside a program, on Node: what the command `entitable serve` starts.
 *
 * @module
 */

export type { ServedRequest } from './server/log.js';
export type { AccountAddress, TableServer } from './server/serve.js';
export { startServer } from './server/serve.js';
export type { Certificate, ServerAccount, ServerOptions } from './server/server-options.js';
export type { Durability } from './storage/page-storage.js';
