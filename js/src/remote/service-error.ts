/**
 * Errors of the service in its answers.
 *
 * Source: payloads of the spec, 4.7.
 *
 * @module
 */

import type { ErrorCode } from '../base/error-codes.js';
import { TableError } from '../base/errors.js';

/** The parts of an answer that say what failed. */
export interface FailedAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/** Returns the error of an answer; undefined, if the answer is not of the service. */
export function serviceError({ status, headers, text }: FailedAnswer): TableError | undefined {
  const { code, message = '' } = fromJson(text) ?? fromXml(text) ?? {};
  const name = code ?? headers.get('x-ms-error-code') ?? '';
  if (name === '') return undefined;
  const [, index, words = ''] = /^(?:(\d+):)?(.*)$/s.exec(message.split(/\r?\nRequestId:/)[0]!)!;
  const requestId = headers.get('x-ms-request-id') ?? /\nRequestId:(\S+)/.exec(message)?.[1];
  return new TableError(name as ErrorCode, words || `The service answered with ${status}.`, {
    statusCode: status,
    operationIndex: index === undefined ? undefined : Number(index),
    requestId,
  });
}

interface Failure {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

function fromJson(text: string): Failure | undefined {
  try {
    const { 'odata.error': error } = JSON.parse(text) as {
      'odata.error'?: { code?: unknown; message?: { value?: unknown } };
    };
    return error && { code: textOf(error.code), message: textOf(error.message?.value) };
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function fromXml(text: string): Failure | undefined {
  const inner = (name: string) => new RegExp(`<(?:m:)?${name}[^>]*>([^<]*)</`, 'i').exec(text)?.[1];
  if (!/<(m:)?error\b/i.test(text)) return undefined;
  return { code: inner('code'), message: inner('message') };
}
