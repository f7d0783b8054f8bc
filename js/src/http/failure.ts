/**
 * The answer to a request that the core could not be asked: the account is closed, or the module
 * has stopped.
 *
 * @module
 */

import type { TableError } from '../errors.js';
import type { HttpAnswer } from './frames.js';

/** In the form of the service's own errors. */
export function failureAnswer(
  { code, message, statusCode }: TableError,
  requestId: string,
): HttpAnswer {
  const value = `${message}\nRequestId:${requestId}\nTime:${new Date().toISOString().replace('Z', '0000Z')}`;
  const error = { 'odata.error': { code, message: { lang: 'en-US', value } } };
  return {
    status: statusCode,
    headers: [
      ['x-ms-request-id', requestId],
      ['X-Content-Type-Options', 'nosniff'],
      ['Content-Type', 'application/json;odata=minimalmetadata;streaming=true;charset=utf-8'],
    ],
    body: new TextEncoder().encode(JSON.stringify(error)),
  };
}
