/**
 * One request to the core and its answer, for every kind of host.
 *
 * @module
 */

import { isTableError } from '../base/errors.js';
import { MAX_BODY_BYTES } from '../base/limits.js';
import { checkedOptions, typeError } from '../base/options.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { CorsRule } from '../client/models.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import { isRead } from '../core/reads.js';
import { authenticatorFor, type AccountKeys, type Authenticator } from './auth/authenticate.js';
import { policiesOf } from './auth/policies.js';
import type { Origin } from './auth/shared-access.js';
import { corsRulesOf } from './cors.js';
import { failureAnswer } from './failure.js';
import {
  readHttpAnswer,
  submitHttpRequest,
  type HttpAnswer,
  type HttpRequest,
  type RequestHeaders,
} from './frames.js';

/** What {@link createTableExchange} and {@link createTableHandler} take. */
export interface TableHandlerOptions {
  /**
   * Which requests are let in: those that are signed with a key of the account (SharedKey or
   * SharedKeyLite), or have a shared access signature made with one; or, with `anonymous`, all.
   */
  readonly authentication: AccountKeys | 'anonymous';

  /**
   * What pages of other origins may do: everything; nothing; or what the first rule that fits says,
   * of up to five. By default the properties of the account decide (`setProperties()`), which this
   * leaves as they are.
   */
  readonly cors?: boolean | readonly CorsRule[] | undefined;
}

/**
 * What hosts of this package may say beside that.
 *
 * @internal
 */
export interface ExchangeHost {
  /**
   * Whether requests wait while many others do, and are not refused with `ServerBusy`. Only for a
   * host that itself bounds how many there are.
   */
  readonly isPatient: boolean;
}

/** A request of which the body is still to come. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query, percent-encoded as they were sent. */
  readonly target: string;
  /** If no header of this name tells. */
  readonly host?: string | undefined;
  readonly headers: RequestHeaders;
  /** Reads at most so many bytes of the body; nothing, if there is none. */
  readBody(limit: number): Promise<Uint8Array | undefined> | undefined;
  readonly signal?: AbortSignalLike | undefined;
  /** Whether it came by HTTPS, and from which address, if that is known. */
  readonly origin: Origin;
}

// What goes with each request.
const REQUEST_OVERHEAD = 1024;

// One more than the core takes, which therefore sees that a body is too long.
const BODY_BYTES_READ = MAX_BODY_BYTES + 1;

/** Answers a request as the service does, errors too. */
export type TableExchange = (request: IncomingRequest) => Promise<HttpAnswer>;

/**
 * What {@link createTableHandler} does, for servers that have no `Request`: the address is taken as
 * it was sent, which is how the client has signed it.
 *
 * It rejects when the request was aborted or its body cannot be read, or when a rule of `cors`
 * breaks a rule of the service.
 *
 * @throws a `TypeError`, if the options do not say who is let in, or a key is not Base64, or there is
 * no account; never a {@link TableError}.
 */
export function createTableExchange(
  account: TableServiceClient,
  options: TableHandlerOptions,
): TableExchange;
/** @internal */
export function createTableExchange(
  account: TableServiceClient,
  options: TableHandlerOptions,
  host: ExchangeHost,
): TableExchange;
export function createTableExchange(
  account: TableServiceClient,
  options: TableHandlerOptions,
  host?: ExchangeHost,
): TableExchange {
  const isPatient = host?.isPatient;
  const { authentication, cors } = checkedOptions('a handler', options, OPTIONS, typeError);
  const session = account?.session;
  if (!session) throw new TypeError('the account must be one that openAccount() has opened');
  const authenticate =
    authentication === 'anonymous'
      ? undefined
      : authenticatorFor(authentication, policiesOf(session));
  const corsRules = corsRulesOf(cors);
  return async (given) => {
    // Its owner may use the same object for the next request.
    const request = copyOf(given);
    const requestId = crypto.randomUUID();
    const submit = (sent: Sent): Promise<HttpAnswer> => {
      const { method, headers, signal } = request;
      const target = addressOf(request);
      const whole = { method, headers, target, requestId, corsRules, ...sent };
      return session.submit({
        write: (module, engine) => submitHttpRequest(module, engine, whole),
        read: readHttpAnswer,
        bytes: REQUEST_OVERHEAD + whole.target.length + (sent.body?.length ?? 0),
        isWrite: !isRead(method),
        // Without its CORS headers, a write that is stored would look like one that failed.
        isImpatient: !isPatient && sent.answered === undefined,
        signal,
      });
    };
    const origin = request.headers.get('Origin');
    const answer = await answerOf(request, requestId, submit, authenticate);
    if (origin === null || request.method === 'OPTIONS') return answer;
    // Every answer goes to the browser, which hides it from pages that the CORS rules do not allow.
    const { status, headers } = await submit(corsQuestion(origin, answer)).catch(withoutHeaders);
    if (status === 400) throw new TypeError('cors breaks a rule of the service');
    return { ...answer, headers: [...answer.headers, ...headers] };
  };
}

const OPTIONS = { authentication: 'any', cors: 'any' } as const;

function copyOf(request: IncomingRequest): IncomingRequest {
  const { method, target, host, headers, signal, origin } = request;
  const readBody = (limit: number) => request.readBody(limit);
  return { method, target, host, headers, signal, origin: { ...origin }, readBody };
}

type Sent = Pick<HttpRequest, 'body' | 'grant' | 'refusal' | 'answered'> &
  Partial<Pick<HttpRequest, 'headers' | 'target'>>;

// The request may have been refused for its target or one of its headers, so the question has none
// of them but the origin.
function corsQuestion(origin: string, { headers }: HttpAnswer): Sent {
  const answered = headers.map(([name]) => name).join();
  return { answered, target: '/', headers: [['Origin', origin]] };
}

// With the host, which may tell the account, and which addresses in the answer have.
const addressOf = ({ host, target, origin: { isSecure } }: IncomingRequest) =>
  host === undefined ? target : `${isSecure ? 'https' : 'http'}://${host}${target}`;

async function answerOf(
  request: IncomingRequest,
  requestId: string,
  submit: (sent: Sent) => Promise<HttpAnswer>,
  authenticate: Authenticator | undefined,
): Promise<HttpAnswer> {
  try {
    const verdict = await authenticate?.(request);
    if (verdict && 'status' in verdict) return await submit({ refusal: verdict });
    // A preflight is not signed, and has none that means anything.
    const isPreflight = request.method === 'OPTIONS';
    const body = isPreflight ? undefined : await request.readBody(BODY_BYTES_READ);
    return await submit({ body, grant: verdict });
  } catch (error) {
    if (!isTableError(error)) throw error;
    const { code, statusCode, details } = error;
    const { value: message } = details.odataError.message;
    return failureAnswer({ code, statusCode, message }, request.headers, requestId);
  }
}

// Of an account that cannot say what its rules are.
function withoutHeaders(error: unknown): Pick<HttpAnswer, 'status' | 'headers'> {
  if (!isTableError(error)) throw error;
  return { status: 503, headers: [] };
}
