/**
 * Which requests change nothing.
 *
 * @module
 */

import type { Operation } from './frames.js';

const OPERATIONS: readonly Operation['kind'][] = [
  ...(['getTable', 'queryTables', 'getEntity', 'queryEntities', 'countEntities'] as const),
  ...(['awaitChanges', 'getPolicies', 'getServiceProperties'] as const),
];
const HTTP_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const READS: readonly string[] = [...OPERATIONS, ...HTTP_METHODS];

/**
 * Whether a request only reads; one of an unknown kind may write.
 *
 * @param name - the kind of an operation, or the method of an HTTP request.
 */
export const isRead = (name: string): boolean => READS.includes(name);
