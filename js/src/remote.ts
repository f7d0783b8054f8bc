/**
 * A client of a storage account in the cloud, or of any other endpoint with the REST API of the
 * service. It loads no WebAssembly module, and no storage.
 *
 * @module
 */

export { TableError } from './base/errors.js';
export { remoteAccount } from './remote/account.js';
export type { RemoteAccount } from './remote/account.js';
export type {
  Credential,
  RemoteAccountOptions,
  RemoteFetch,
  RemoteRequest,
  RemoteResponse,
  RemoteTableClient,
} from './remote/models.js';
export type { RemoteTable, RemoteTableOf, RemoteTables } from './remote/tables.js';
