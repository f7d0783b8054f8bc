/**
 * Where the next page of an answer begins.
 *
 * @module
 */

import type { Answer, Operation } from './frames.js';

/** A place in a list of results, as the tokens of the service. */
export type PagePosition = Pick<Operation, 'nextPartitionKey' | 'nextRowKey' | 'nextTableName'>;

/** Where the page after `answer` begins; undefined after the last one. */
export function positionOf(answer: Answer): PagePosition | undefined {
  const { nextPartitionKey, nextRowKey, nextTableName } = answer;
  if (nextPartitionKey === undefined && nextTableName === undefined) return undefined;
  return { nextPartitionKey, nextRowKey, nextTableName };
}
