/**
 * Answers without the core: the account is closed, or the module has aborted.
 *
 * Source: payloads of the spec, 4.7.
 *
 * @module
 */

import type { TableError } from '../base/errors.js';
import type { HttpAnswer, RequestHeaders } from './frames.js';

/** In JSON, as errors of operations are. */
export function failureAnswer(
  { code, message, statusCode }: Pick<TableError, 'code' | 'message' | 'statusCode'>,
  headers: RequestHeaders,
  requestId: string,
): HttpAnswer {
  const value = withIdentity(message, requestId);
  const error = { 'odata.error': { code, message: { lang: 'en-US', value } } };
  return answer(statusCode, headers, requestId, JSON.stringify(error), [
    ['X-Content-Type-Options', 'nosniff'],
    ['Content-Type', 'application/json;odata=minimalmetadata;streaming=true;charset=utf-8'],
  ]);
}

const CONTROL = /[\0-\x08\n-\x1f\x7f]/;

const withIdentity = (message: string, requestId: string) =>
  `${message}\nRequestId:${requestId}\nTime:${new Date(Date.now()).toISOString().replace('Z', '0000Z')}`;

function answer(
  status: number,
  sent: RequestHeaders,
  requestId: string,
  text: string,
  headers: [string, string][],
): HttpAnswer {
  const echoed = ['x-ms-version', 'x-ms-client-request-id'].flatMap((name): [string, string][] => {
    const value = sent.get(name);
    // The core has not checked it: some hosts let through what no header may have.
    return value === null || CONTROL.test(value) ? [] : [[name, value]];
  });
  return {
    status,
    headers: [
      ['Server', 'Entitable'],
      ['x-ms-request-id', requestId],
      ...echoed,
      ['Date', new Date(Date.now()).toUTCString()],
      ...headers,
    ],
    body: new TextEncoder().encode(text),
  };
}
