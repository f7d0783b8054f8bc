/**
 * Carries out one HTTP request, for every kind of host.
 *
 * @module
 */

import { isTableError, serverBusy } from '../base/errors.js';
import { MAX_BODY_BYTES } from '../base/limits.js';
import { checkedOptions, typeError } from '../base/options.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { CorsRule } from '../client/models.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import { isRead } from '../core/reads.js';
import type { AccountSession } from '../core/account-session.js';
import { authenticatorFor, type AccountKeys, type Authenticator } from './auth/authenticate.js';
import { policiesOf } from './auth/policies.js';
import type { Origin } from './auth/shared-access.js';
import type { TokenCheck } from './auth/tokens.js';
import { corsRulesOf } from './cors.js';
import { failureAnswer } from './failure.js';
import {
  httpFrame,
  readHttpAnswer,
  type HttpAnswer,
  type HttpRequest,
  type RequestHeaders,
} from './frames.js';

/** Options of {@link createRawTableHandler} and {@link createTableHandler}. */
export interface TableHandlerOptions {
  /**
   * Which requests are allowed: requests with a signature by a key of the account (SharedKey or
   * SharedKeyLite), and requests with a shared access signature by one; or, with `anonymous`, all
   * requests.
   */
  readonly authentication: AccountKeys | 'anonymous';

  /**
   * What pages of other origins may do: everything; nothing; or what the first fitting rule allows,
   * of up to five. By default, the properties of the account decide (`setProperties()`); this
   * option does not change them.
   */
  readonly cors?: boolean | readonly CorsRule[] | undefined;

  /**
   * Whether each read first reads the log of the storage. It then sees every write that was
   * acknowledged before it came, by any process. So several processes can serve one account behind
   * a load balancer. It costs a small read of the storage, which reads that come together share.
   * False by default.
   */
  readonly fresh?: boolean | undefined;
}

/**
 * Options for the hosts of this package.
 *
 * @internal
 */
export interface HandlerHost {
  /**
   * Whether requests wait while many others do, instead of being refused with `ServerBusy`. Only
   * for a host that limits their number itself.
   */
  readonly isPatient: boolean;

  /**
   * Whether the host opens the account again when the module aborts. Then requests that were not
   * carried out are refused with `ServerBusy`, so that clients repeat them.
   */
  readonly reopens: boolean;

  /** Checks bearer tokens; without it, none is accepted. */
  readonly checkToken?: TokenCheck | undefined;
}

/** A request whose body may not have arrived yet. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query, percent-encoded as the client sent them. */
  readonly target: string;
  /** The host, if no header has it. */
  readonly host?: string | undefined;
  /**
   * Whether the host names the account, as in `account.table.example`. Then the target does not
   * begin with the path of its `baseUrl`. False by default.
   */
  readonly accountInHost?: boolean | undefined;
  readonly headers: RequestHeaders;
  /** Reads at most so many bytes of the body; undefined, if there is no body. */
  readBody(limit: number): Promise<Uint8Array | undefined> | undefined;
  readonly signal?: AbortSignalLike | undefined;
  /** Whether it came by HTTPS, and its address, if that is known. */
  readonly origin: Origin;
}

// The memory of a request beside its texts.
const REQUEST_OVERHEAD = 1024;

// One more than the core takes, so that the core can see that a body is too long.
const BODY_BYTES_READ = MAX_BODY_BYTES + 1;

/** Answers a request as the service does, also with errors. */
export type RawTableHandler = (request: IncomingRequest) => Promise<HttpAnswer>;

/**
 * {@link createTableHandler} for servers without `Request`. It takes the address as the client sent
 * it, which is the form that the client signed.
 *
 * It rejects if the request was aborted, if its body cannot be read, or if a rule of `cors` is not
 * valid.
 *
 * @throws a `TypeError`, if the options do not say who is let in, or a key is not Base64, or there
 * is no account; never a {@link TableError}.
 */
export function createRawTableHandler(
  account: TableServiceClient,
  options: TableHandlerOptions,
): RawTableHandler;
/** @internal */
export function createRawTableHandler(
  account: TableServiceClient,
  options: TableHandlerOptions,
  host: HandlerHost,
): RawTableHandler;
export function createRawTableHandler(
  account: TableServiceClient,
  options: TableHandlerOptions,
  host?: HandlerHost,
): RawTableHandler {
  const { authentication, cors, fresh } = checkedOptions('a handler', options, OPTIONS, typeError);
  const session = account?.session;
  if (!session) throw new TypeError('the account must be one that openAccount() has opened');
  const authenticate =
    authentication === 'anonymous'
      ? undefined
      : authenticatorFor(authentication, policiesOf(session), host?.checkToken);
  const corsRules = corsRulesOf(cors);
  return async (given) => {
    // The caller may use the same object for the next request.
    const request = copyOf(given);
    const requestId = crypto.randomUUID();
    const submit = (sent: Sent) =>
      submitTo(session, request, { ...sent, requestId, corsRules }, host?.isPatient);
    const origin = request.headers.get('Origin');
    const refresh = fresh && mayRead(request) ? () => readLog(session, request.signal) : undefined;
    const work = { submit, authenticate, refresh, reopens: host?.reopens };
    const answer = await answerOf(request, requestId, work);
    if (origin === null || request.method === 'OPTIONS') return answer;
    // The browser gets every answer, and hides it from pages that the CORS rules do not allow.
    const { status, headers } = await submit(corsQuestion(origin, answer)).catch(withoutHeaders);
    if (status === 400) throw new TypeError('cors breaks a rule of the service');
    return { ...answer, headers: [...answer.headers, ...headers] };
  };
}

const OPTIONS = { authentication: 'any', cors: 'any', fresh: 'boolean' } as const;

// A batch may hold a query.
const mayRead = ({ method, headers }: IncomingRequest) =>
  isRead(method) || /multipart/i.test(headers.get('Content-Type') ?? '');

// The answer of the core comes after the log was read. Requests of the same time share the read.
async function readLog(session: AccountSession, signal?: AbortSignalLike): Promise<void> {
  await session.request({ kind: 'queryTables', top: '1', fresh: true }, signal);
}

function copyOf(request: IncomingRequest): IncomingRequest {
  const { method, target, host, accountInHost, headers, signal, origin } = request;
  const readBody = (limit: number) => request.readBody(limit);
  const copy = { method, target, host, accountInHost, headers, signal, readBody };
  return { ...copy, origin: { ...origin } };
}

type Sent = Pick<HttpRequest, 'body' | 'sasPermissions' | 'refusal' | 'answered'> &
  Partial<Pick<HttpRequest, 'headers' | 'target'>>;

type Whole = Sent & Pick<HttpRequest, 'requestId' | 'corsRules'>;

function submitTo(
  session: AccountSession,
  request: IncomingRequest,
  sent: Whole,
  isPatient = false,
): Promise<HttpAnswer> {
  const { method, headers, accountInHost, signal } = request;
  const whole = { method, headers, accountInHost, target: addressOf(request), ...sent };
  return session.submit({
    frame: () => httpFrame(whole),
    read: readHttpAnswer,
    bytes: REQUEST_OVERHEAD + whole.target.length + (sent.body?.length ?? 0),
    isWrite: !isRead(method),
    // Without its CORS headers, a stored write would look like a failed one.
    isImpatient: !isPatient && sent.answered === undefined,
    signal,
  });
}

// The request may have been refused for its target or for a header, so the question about CORS has
// no header but the origin.
function corsQuestion(origin: string, { headers }: HttpAnswer): Sent {
  const answered = headers.map(([name]) => name).join();
  return { answered, target: '/', headers: [['Origin', origin]] };
}

// With the host: it may name the account, and addresses in the answer have it.
const addressOf = ({ host, target, origin: { isSecure } }: IncomingRequest) =>
  host === undefined ? target : `${isSecure ? 'https' : 'http'}://${host}${target}`;

interface Work {
  readonly submit: (sent: Sent) => Promise<HttpAnswer>;
  readonly authenticate: Authenticator | undefined;
  /** What comes before a read. */
  readonly refresh: (() => Promise<void>) | undefined;
  readonly reopens: boolean | undefined;
}

async function answerOf(
  request: IncomingRequest,
  requestId: string,
  { submit, authenticate, refresh, reopens }: Work,
): Promise<HttpAnswer> {
  try {
    const verdict = await authenticate?.(request);
    if (verdict && 'status' in verdict) return await submit({ refusal: verdict });
    // A preflight has no signature and no body.
    const isPreflight = request.method === 'OPTIONS';
    const body = isPreflight ? undefined : await request.readBody(BODY_BYTES_READ);
    await refresh?.();
    return await submit({ body, sasPermissions: verdict });
  } catch (error) {
    if (!isTableError(error)) throw error;
    const isOver = reopens && error.code === 'ModuleAborted';
    const { code, statusCode, details } = isOver ? serverBusy() : error;
    const { value: message } = details.odataError.message;
    return failureAnswer({ code, statusCode, message }, request.headers, requestId);
  }
}

// Of an account that cannot read its rules.
function withoutHeaders(error: unknown): Pick<HttpAnswer, 'status' | 'headers'> {
  if (!isTableError(error)) throw error;
  return { status: 503, headers: [] };
}
