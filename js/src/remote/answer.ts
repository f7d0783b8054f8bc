/**
 * Answers of the REST API as answers to operations.
 *
 * @module
 */

import { remade, type TableError } from '../base/errors.js';
import type { Answer, Operation } from '../core/frames.js';
import { batchParts } from './batch.js';
import type { Received } from './exchange.js';
import { failureOf, unreadable, type Failure } from './failure.js';
import { hiddenHeader } from './hidden-headers.js';

/** Reads a body. It throws if the body is not what it should be. */
export type ReadText = (text: string) => void;

// Those of a success.
const STATUS: Partial<Record<Operation['kind'], readonly number[]>> = {
  createTable: [201, 204],
  insertEntity: [201, 204],
  getEntity: [200],
  queryEntities: [200],
  queryTables: [200],
};
const WITH_ETAG: readonly Operation['kind'][] = ['insertEntity', 'mergeEntity', 'replaceEntity'];

const CONTINUATIONS = {
  nextPartitionKey: 'x-ms-continuation-NextPartitionKey',
  nextRowKey: 'x-ms-continuation-NextRowKey',
  nextTableName: 'x-ms-continuation-NextTableName',
} as const;

/**
 * Reads an answer.
 *
 * @throws {@link TableError} `HeadersHidden`.
 */
export function answerOf(
  operation: Operation,
  received: Received,
  readText: ReadText | undefined,
): Answer | Failure {
  const { status, headers, text } = received;
  const { kind, parts } = operation;
  if (status < 200 || status > 299) return failureOf(received);
  if (parts) return batchAnswerOf(parts, received);
  if (!(STATUS[kind] ?? [204]).includes(status)) return unreadable(received);
  try {
    readText?.(text);
  } catch {
    return unreadable(received);
  }
  const answer: Answer = { status, body: text, parts: [] };
  const etag = headers.get('ETag');
  if (etag !== null) answer.etag = etag;
  for (const [name, header] of Object.entries(CONTINUATIONS)) {
    const value = headers.get(header);
    if (value !== null) answer[name as keyof typeof CONTINUATIONS] = value;
  }
  refuseHidden(operation, received);
  return answer;
}

function refuseHidden({ kind }: Operation, { isCrossOrigin, headers }: Received): void {
  if (!isCrossOrigin) return;
  const isRead = /^(get|query)/.test(kind);
  const needed = [...(WITH_ETAG.includes(kind) ? ['ETag'] : []), 'x-ms-request-id'];
  const hidden = needed.find((name) => headers.get(name) === null);
  if (hidden) throw hiddenHeader(hidden, !isRead);
}

function batchAnswerOf(operations: readonly Operation[], received: Received): Answer | Failure {
  const parts = batchParts(received.text, operations.length);
  if (!parts) return unreadable(received);
  const failed = parts.find(({ status }) => status > 299);
  if (!failed) return { status: received.status, parts };
  const failure = failureOf({ ...received, status: failed.status, text: failed.body });
  // The service does not say it of a transaction with one action.
  return operations.length === 1 ? { ...failure, error: ofFirst(failure.error) } : failure;
}

const ofFirst = (error: TableError) => remade(error, { operationIndex: 0 });
