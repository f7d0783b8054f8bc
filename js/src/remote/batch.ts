/**
 * Transactions as requests with several parts, and their answers.
 *
 * Source: payloads of the spec, 4.8.
 *
 * @module
 */

import type { Answer, Operation } from '../core/frames.js';
import { serviceRequest, type ServiceRequest } from './service-request.js';

/**
 * The request of a transaction.
 *
 * @param base - the address of the account.
 * @throws {@link TableError} `InvalidInput`, see {@link serviceRequest}.
 */
export function batchRequest(operations: readonly Operation[], base: string): ServiceRequest {
  // A line of JSON never begins with a hyphen, so the boundaries need not be random. The emulator
  // needs their first words.
  const parts = operations.map((operation) => {
    const { method, path, headers, body = '' } = serviceRequest(operation);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const head = [`${method} ${base}${path} HTTP/1.1`, 'DataServiceVersion: 3.0', ...lines];
    return ['--changeset_1', ...PART, '', ...head, '', body, ''].join('\r\n');
  });
  const body = [
    '--batch_1',
    'Content-Type: multipart/mixed; boundary=changeset_1',
    '',
    `${parts.join('')}--changeset_1--`,
    '--batch_1--',
    '',
  ].join('\r\n');
  const headers = {
    Accept: 'application/json',
    'Content-Type': 'multipart/mixed; boundary=batch_1',
  };
  return { method: 'POST', path: '/$batch', query: [], headers, body };
}

const PART = ['Content-Type: application/http', 'Content-Transfer-Encoding: binary'];

/** One part of the answer to a transaction. */
export interface BatchPart extends Answer {
  readonly body: string;
}

/**
 * The parts of an answer: one for each operation, or only that of the operation that failed.
 *
 * @returns undefined, if it is not the whole answer.
 */
export function batchParts(text: string, count: number): BatchPart[] | undefined {
  const boundary = /^--.*\S/m.exec(text)?.[0];
  if (boundary === undefined || !text.includes(`\n${boundary}--`)) return undefined;
  const parts = text.split(/^--.*$/m).flatMap((part) => {
    const line = /^HTTP\/[\d.]+ (\d{3})/m.exec(part);
    if (!line) return [];
    // A part without a body may end with its last header.
    const [head = '', body = ''] = part.slice(line.index).split(/\r?\n\r?\n([^]*)/);
    const etag = /^ETag: *(.*?)\r?$/im.exec(head)?.[1];
    return [{ status: Number(line[1]), body, parts: [], ...(etag === undefined ? {} : { etag }) }];
  });
  const isFailure = parts.length === 1 && parts[0]!.status >= 400;
  return isFailure || parts.length === count ? parts : undefined;
}
