/**
 * The REST API of the service, for whoever speaks HTTP: a `fetch` handler over an account.
 *
 * @module
 */

export { createTableHandler, type TableHandler, type TableHandlerOptions } from './http/handler.js';
