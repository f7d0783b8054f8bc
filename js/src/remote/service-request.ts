/**
 * Operations as requests of the REST API.
 *
 * Source: operations of the spec, 2.1 to 2.12.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { shown } from '../base/shown.js';
import type { Operation } from '../core/frames.js';
import type { EntityKeys } from '../entity/keys.js';
import { entityPath, parameter, tableItemPath, tablePath } from './address.js';

/** A request without a credential. */
export interface ServiceRequest {
  readonly method: string;
  /** Behind the address of the account, percent-encoded, with a slash at its start. */
  readonly path: string;
  /** Options of a query, percent-encoded. */
  readonly query: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** The method of Merge Entity. As a request of its own, it is sent as POST: proxies know that. */
export const MERGE = 'MERGE';

const ACCEPT = { Accept: 'application/json;odata=minimalmetadata' };
const JSON_BODY = { ...ACCEPT, 'Content-Type': 'application/json' };
// The caller has the entity already.
const NO_ECHO = { ...JSON_BODY, Prefer: 'return-no-content' };

/**
 * The request of an operation other than a transaction.
 *
 * @throws {@link TableError} `InvalidInput`, if an address or a header cannot have a text.
 */
export function serviceRequest(operation: Operation): ServiceRequest {
  const { kind, table = '' } = operation;
  const body = textOf(operation);
  switch (kind) {
    case 'createTable':
      return { method: 'POST', path: '/Tables', query: [], headers: NO_ECHO, body };
    case 'deleteTable':
      return { method: 'DELETE', path: tableItemPath(table), query: [], headers: ACCEPT };
    case 'queryTables':
      return get('/Tables', operation);
    case 'queryEntities':
      return get(`${tablePath(table)}()`, operation);
    case 'getEntity':
      return get(pathOf(operation), operation);
    case 'insertEntity':
      return { method: 'POST', path: tablePath(table), query: [], headers: NO_ECHO, body };
    case 'replaceEntity':
      return write('PUT', operation);
    case 'mergeEntity':
      return write(MERGE, operation);
    default:
      return write('DELETE', operation);
  }
}

// Only an import has bytes.
const textOf = ({ body }: Operation) => body as string | undefined;

const pathOf = (operation: Operation) =>
  entityPath(operation.table!, operation as unknown as EntityKeys);

// The names of the members of an operation in an address.
const PARAMETERS = {
  filter: '$filter',
  select: '$select',
  top: '$top',
  nextPartitionKey: 'NextPartitionKey',
  nextRowKey: 'NextRowKey',
  nextTableName: 'NextTableName',
} as const;

function get(path: string, operation: Operation): ServiceRequest {
  const query = Object.entries(PARAMETERS).flatMap(([member, name]) => {
    const value = operation[member as keyof typeof PARAMETERS];
    return value === undefined ? [] : [parameter(name, value)];
  });
  return { method: 'GET', path, query, headers: ACCEPT };
}

function write(method: string, operation: Operation): ServiceRequest {
  const { ifMatch } = operation;
  const body = textOf(operation);
  const headers: Record<string, string> = { ...(body === undefined ? ACCEPT : JSON_BODY) };
  if (ifMatch !== undefined) headers['If-Match'] = header(ifMatch);
  return { method, path: pathOf(operation), query: [], headers, body };
}

// In a transaction, a line break would begin another header. A header without a value may get lost,
// and with it the condition.
function header(etag: string): string {
  if (/^(?! *$)[ -~]*$/.test(etag)) return etag;
  throw invalidInput(`A request cannot have the etag ${shown(etag)}.`);
}
