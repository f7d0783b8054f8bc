/**
 * What a request shows to be let in. Nothing of it is stored.
 *
 * Source: auth of the spec, 5.1 to 5.4.
 *
 * @module
 */

import { keyBytes, signingKey, type SigningKey } from '../http/auth/signature.js';
import type { Credential } from './models.js';
import type { FailedAnswer } from './service-error.js';

/** A request that is about to be sent. */
export interface Outgoing {
  url: string;
  readonly headers: Record<string, string>;
}

/** The credential of an account. */
export interface Credentials {
  /**
   * Adds the credential to a request.
   *
   * @returns what it used, for `renew`.
   */
  authorize(outgoing: Outgoing): Promise<unknown>;

  /**
   * Called with an answer 401 or 403.
   *
   * @param used - what `authorize` returned for the request.
   * @returns whether another try may be let in.
   */
  renew(used: unknown, answer: FailedAnswer): Promise<boolean>;

  /** Called with the `Date` of each answer. */
  readonly setClock?: (date: string | null) => void;
}

/** For endpoints that ask for nothing. */
export const NO_CREDENTIALS: Credentials = {
  authorize: () => Promise.resolve(undefined),
  renew: () => Promise.resolve(false),
};

/** Credentials that are texts: shared access signatures and tokens. */
export class TextCredentials implements Credentials {
  readonly #given: Credential;
  readonly #add: (outgoing: Outgoing, text: string) => void;
  #text: Promise<string> | undefined;

  constructor(given: Credential, add: (outgoing: Outgoing, text: string) => void) {
    this.#given = given;
    this.#add = add;
  }

  async authorize(outgoing: Outgoing): Promise<string> {
    const text = await this.#current();
    this.#add(outgoing, text);
    return text;
  }

  async renew(used: unknown): Promise<boolean> {
    if (typeof this.#given === 'string') return false;
    const text = this.#text;
    // Another call may have renewed it since.
    if (text && (await text) === used && this.#text === text) this.#text = undefined;
    return (await this.#current()) !== used;
  }

  // Calls that need it at the same time share it.
  #current(): Promise<string> {
    const text = (this.#text ??= this.#fetch());
    text.catch(() => {
      // The next call asks again.
      if (this.#text === text) this.#text = undefined;
    });
    return text;
  }

  async #fetch(): Promise<string> {
    const given = this.#given;
    const text: unknown = typeof given === 'string' ? given : await given();
    if (typeof text === 'string' && /^[!-~]+$/.test(text)) return text;
    throw new TypeError('A credential must be a text without spaces.');
  }
}

/** Appends a signature to an address. */
export function addSas(outgoing: Outgoing, sas: string): void {
  outgoing.url += `&${sas.replace(/^[?&]/, '')}`;
}

/** Adds a bearer token. */
export function addToken({ headers }: Outgoing, token: string): void {
  headers['Authorization'] = `Bearer ${token}`;
  // The first version that knows tokens.
  headers['x-ms-version'] = '2020-12-06';
}

// The service takes a date that is up to 15 minutes off.
const MAX_SKEW_MS = 300_000;

/** A key of the account. It signs with the time of the service. */
export class SharedKey implements Credentials {
  readonly #account: string;
  readonly #sign: Promise<SigningKey>;
  // The time of the service less the time here, in milliseconds.
  #offset = 0;

  /** @throws a `TypeError`, if the key is not Base64. */
  constructor(account: string, key: string) {
    this.#account = account;
    this.#sign = signingKey(keyBytes(key));
    // Whoever signs gets the error.
    this.#sign.catch(() => {});
  }

  async authorize({ url, headers }: Outgoing): Promise<number> {
    const time = Date.now() + this.#offset;
    const date = new Date(time).toUTCString();
    // As the platform sends it.
    const { pathname } = new URL(url);
    const sign = await this.#sign;
    const signature = await sign(`${date}\n/${this.#account}${pathname}`);
    headers['x-ms-date'] = date;
    headers['Authorization'] = `SharedKeyLite ${this.#account}:${signature}`;
    return time;
  }

  renew(used: unknown, { headers }: FailedAnswer): Promise<boolean> {
    const date = Date.parse(headers.get('Date') ?? '');
    return Promise.resolve(Math.abs(date - (used as number)) > MAX_SKEW_MS);
  }

  readonly setClock = (date: string | null): void => {
    const time = Date.parse(date ?? '');
    if (!Number.isNaN(time)) this.#offset = time - Date.now();
  };
}
