/**
 * Answers of a Worker.
 *
 * @module
 */

import type { TableError } from '../base/errors.js';
import { FAILED } from '../http/auth/refusal.js';
import { failureAnswer } from '../http/failure.js';
import type { HttpAnswer } from '../http/frames.js';
import { responseOf } from '../http/web.js';

/** The members of a request that its answer depends on. */
type Answered = Pick<Request, 'method' | 'headers'>;

/**
 * The answer to a request. miniflare marks an empty body without a type as compressed, and clients
 * fail to decompress it. The header `Content-Encoding: identity` prevents the mark.
 */
export function edgeResponse({ method }: Pick<Request, 'method'>, answer: HttpAnswer): Response {
  const isEmpty = answer.body.length === 0 || method === 'HEAD';
  const encoding: [string, string][] = isEmpty ? [['Content-Encoding', 'identity']] : [];
  return responseOf(method, { ...answer, headers: [...answer.headers, ...encoding] });
}

/** The answer of the Worker itself, which has no account. */
export function refused(
  request: Request,
  code: 'ResourceNotFound' | 'AuthenticationFailed',
): Response {
  const { status, message } =
    code === 'AuthenticationFailed'
      ? FAILED
      : { status: 404, message: 'The specified resource does not exist.' };
  return failed(request, { code, message, statusCode: status });
}

/** The answer of an account that cannot be opened. The log of the Worker has the reason. */
export function unopened(request: Answered, error: TableError): Response {
  console.error('Entitable: the account cannot be opened.', error);
  return failureResponse(request, error);
}

/** The answer with an error. */
export function failureResponse(request: Answered, error: TableError): Response {
  const { code, statusCode, details } = error;
  return failed(request, { code, statusCode, message: details.odataError.message.value });
}

function failed(request: Answered, error: Parameters<typeof failureAnswer>[0]): Response {
  return edgeResponse(request, failureAnswer(error, request.headers, crypto.randomUUID()));
}
