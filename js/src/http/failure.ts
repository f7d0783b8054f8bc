/**
 * Answers that the core does not give: to those who are not let in, and to everybody when the
 * account is closed or the module has stopped.
 *
 * Source: payloads of the spec, 4.7.
 *
 * @module
 */

import type { TableError } from '../errors.js';
import type { Refusal } from './auth/refusal.js';
import type { HttpAnswer, RequestHeaders } from './frames.js';

/** In JSON, as the errors of operations. */
export function failureAnswer(
  { code, message, statusCode }: Pick<TableError, 'message' | 'statusCode'> & { code: string },
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

/** In the form of the refusal, whatever the client takes. */
export function refusalAnswer(
  { status, code, message, form }: Refusal,
  headers: RequestHeaders,
  requestId: string,
): HttpAnswer {
  if (form === 'json') {
    return failureAnswer({ code, message, statusCode: status }, headers, requestId);
  }
  const error =
    '<?xml version="1.0" encoding="utf-8" standalone="yes"?>' +
    '<m:error xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">' +
    `<m:code>${code}</m:code>` +
    `<m:message xml:lang="en-US">${withIdentity(message, requestId)}</m:message></m:error>`;
  return answer(status, headers, requestId, error, [
    ['x-ms-error-code', code],
    ['Content-Type', 'application/xml'],
  ]);
}

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
    return value === null ? [] : [[name, value]];
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
