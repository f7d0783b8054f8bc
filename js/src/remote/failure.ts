/**
 * What follows from an answer that is no success: whether the request may be repeated, and with
 * which error the call is rejected.
 *
 * @module
 */

import { TableError } from '../base/errors.js';
import type { Lost, Received } from './exchange.js';
import { withoutQueries } from './secrets.js';
import { serviceError } from './service-error.js';

/** A request that did not succeed. */
export interface Failure {
  readonly error: TableError;
  /** The error says that nothing was done; otherwise a write may have taken effect. */
  readonly isRefusal: boolean;
  /** Another try may succeed. */
  readonly mayPass: boolean;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs: number;
}

/** The failure of an answer, or of a lost one. */
export function failureOf(result: Received | Lost): Failure {
  if ('cause' in result) {
    const error = noAnswer('No answer was received.', noAnswerText(), { cause: result.cause });
    return { error, isRefusal: Boolean(result.isUnsent), mayPass: true, retryAfterMs: 0 };
  }
  const { status } = result;
  const ofService = serviceError(result);
  const isThrottled = status === 429 || (status === 503 && ofService?.code === 'ServerBusy');
  return {
    error: ofService ?? foreign(result),
    isRefusal: isThrottled || status === 501 || (status < 500 && status !== 408),
    mayPass: isThrottled || status === 408 || (status >= 500 && !LASTING.includes(status)),
    retryAfterMs: retryAfterOf(result),
  };
}

/** A success that cannot be read: it was cut off, or is not of the service. */
export function unreadable(answer: Received): Failure {
  const isCut = /json|multipart/.test(answer.headers.get('Content-Type') ?? '');
  return { error: foreign(answer), isRefusal: false, mayPass: isCut, retryAfterMs: 0 };
}

// They are answered in the same way each time.
const LASTING = [501, 505];

// Only pages and their workers have an origin.
const noAnswerText = () =>
  'document' in globalThis || 'WorkerGlobalScope' in globalThis
    ? 'There may be no network; to a page of another origin, a missing CORS rule looks the same.'
    : 'There may be no network, or no server at this address.';

function noAnswer(text: string, sentence: string, more: object): TableError {
  return new TableError('StorageUnavailable', text, { sentence, ...more });
}

// How much of a foreign answer an error shows, in UTF-16 units.
const MAX_SHOWN = 80;

// A proxy, or a page that asks to sign in.
function foreign({ status, headers, text }: Received): TableError {
  const type = headers.get('Content-Type') ?? 'no type';
  const start = withoutQueries(text.slice(0, MAX_SHOWN)).replace(/\s+/g, ' ');
  // A browser tells nothing else of a redirect.
  const isRedirect = status === 0 || (status >= 300 && status <= 399);
  const sentence = isRedirect
    ? 'It sends the client to another address, which may ask to sign in.'
    : `It has the status ${status} and ${type}, and begins: ${JSON.stringify(start)}.`;
  return noAnswer('The answer is not one of the service, or not a whole one.', sentence, {
    ...(status >= 400 && { statusCode: status }),
    requestId: headers.get('x-ms-request-id') ?? undefined,
  });
}

// In milliseconds. The service gives seconds, or a time of its own clock.
function retryAfterOf({ headers }: Received): number {
  const given = headers.get('Retry-After') ?? '';
  const now = Date.parse(headers.get('Date') ?? '') || Date.now();
  const ms = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - now;
  return ms > 0 ? ms : 0;
}

/**
 * The error of a write that may have taken effect.
 *
 * @param cause - the last failure.
 */
export function unknownOutcome(cause: TableError): TableError {
  return new TableError(
    'StorageOutcomeUnknown',
    'The write may have taken effect: an answer to it was lost.',
    { sentence: cause.message, cause, requestId: cause.details.requestId },
  );
}
