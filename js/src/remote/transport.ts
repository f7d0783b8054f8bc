/**
 * Sends requests of the REST API with a credential.
 *
 * @module
 */

import type { AbortSignalLike } from '../base/platform.js';
import type { Credentials } from './credentials.js';
import { exchange, within, type Lost, type Received } from './exchange.js';
import type { RemoteFetch } from './models.js';
import { withoutCredential } from './secrets.js';
import { MERGE, type ServiceRequest } from './service-request.js';

type Signal = AbortSignalLike | undefined;

const VERSIONS = { DataServiceVersion: '3.0', 'x-ms-version': '2019-02-02' };

/** What a transport needs of an account. */
export interface RemoteTransportOptions {
  /** The address of the account, without a slash at the end. */
  readonly base: string;
  readonly credentials: Credentials;
  readonly fetch: RemoteFetch;
}

/** The way to one account. */
export class RemoteTransport {
  readonly #options: RemoteTransportOptions;

  constructor(options: RemoteTransportOptions) {
    this.#options = options;
  }

  /** The address of the account, without a slash at the end. */
  get base(): string {
    return this.#options.base;
  }

  /**
   * Sends a request: once more with another credential, if the first one is not accepted.
   *
   * @param check - called with the credential before it is used. What it throws ends the call.
   * @throws the reason of the signal; the error of the function that gets credentials.
   */
  async exchange(
    request: ServiceRequest,
    signal?: Signal,
    check?: (credential: string) => void,
  ): Promise<Received | Lost> {
    const { credentials } = this.#options;
    const { received, used } = await this.#send(request, signal, check);
    if ('cause' in received || ![401, 403].includes(received.status)) return received;
    const isNew = await within(undefined, signal, credentials.renew(used, received));
    if (!isNew) return received;
    return (await this.#send(request, signal, check)).received;
  }

  async #send(
    { method, path, query, headers, body }: ServiceRequest,
    signal: Signal,
    check: ((credential: string) => void) | undefined,
  ) {
    const { base, credentials, fetch } = this.#options;
    const address = `${base}${path}?${['timeout=30', ...query].join('&')}`;
    const authorized = await within(undefined, signal, credentials.authorize(address));
    const { url, used, ...added } = authorized;
    if (typeof used === 'string') check?.(used);
    const isMerge = method === MERGE;
    const tunnel: Record<string, string> = isMerge ? { 'X-HTTP-Method': MERGE } : {};
    const sent = {
      method: isMerge ? 'POST' : method,
      headers: { ...VERSIONS, ...headers, ...tunnel, ...added.headers },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    } as const;
    const received = await exchange(fetch, url, sent, signal);
    if ('cause' in received) return { received, used };
    credentials.setClock?.(received.date);
    return { received: maskCredential(received, used), used };
  }
}

// An answer with an error may show the address of the request. The answer to a batch is 202.
function maskCredential(received: Received, used: string | number): Received {
  const { status, text } = received;
  const mayShow = status === 202 || status >= 400;
  if (!mayShow || typeof used === 'number' || used === '') return received;
  return { ...received, text: withoutCredential(text, used) };
}
