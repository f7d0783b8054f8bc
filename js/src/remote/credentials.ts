/**
 * What a request shows to be let in. Nothing of it is stored.
 *
 * Source: auth of the spec, 5.1 to 5.4.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { keyBytes, signingKey, type SigningKey } from '../http/auth/signature.js';
import type { Credential } from './models.js';
import type { FailedAnswer } from './service-error.js';

/** How a request is sent so that it is let in. */
export interface Authorized {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What was used, for `renew`. */
  readonly used: string | number;
}

/** The credential of an account. */
export interface Credentials {
  /** Returns the address of a request with the credential, and the headers to add. */
  authorize(url: string): Promise<Authorized>;

  /**
   * Called with an answer 401 or 403.
   *
   * @returns whether another try may be let in.
   */
  renew(used: string | number, answer: FailedAnswer): Promise<boolean>;

  /** Called with the `Date` of each answer. */
  readonly setClock?: (date: string | null) => void;
}

/** For endpoints that ask for nothing. */
export const NO_CREDENTIALS: Credentials = {
  authorize: (url) => Promise.resolve({ url, headers: {}, used: '' }),
  renew: () => Promise.resolve(false),
};

/** Shows a text with a request. */
type Show = (url: string, text: string) => Omit<Authorized, 'used'>;

/** Credentials that are texts: shared access signatures and tokens. */
export class TextCredentials implements Credentials {
  readonly #given: Credential;
  readonly #show: Show;
  #text: Promise<string> | undefined;

  constructor(given: Credential, show: Show) {
    this.#given = given;
    this.#show = show;
  }

  async authorize(url: string): Promise<Authorized> {
    const used = await this.#current();
    return { ...this.#show(url, used), used };
  }

  async renew(used: string | number): Promise<boolean> {
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
    if (typeof given === 'string') return given;
    const text: unknown = await given();
    checkCredential(text);
    return text;
  }
}

/** @throws {@link TableError} `InvalidInput`, if it can be in no address and no header. */
export function checkCredential(text: unknown): asserts text is string {
  if (typeof text === 'string' && /^[!-~]+$/.test(text)) return;
  // The value may be a secret.
  const what = typeof text === 'string' ? 'another text' : `a value of the type ${typeof text}`;
  throw invalidInput(`A credential must be a text of visible ASCII characters, not ${what}.`);
}

/** A shared access signature is a part of the address. */
export const withSas: Show = (url, sas) => ({
  url: `${url}&${sas.replace(/^[?&]/, '')}`,
  headers: {},
});

/** A bearer token, with the first version that knows tokens. */
export const withToken: Show = (url, token) => ({
  url,
  headers: { Authorization: `Bearer ${token}`, 'x-ms-version': '2020-12-06' },
});

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

  async authorize(url: string): Promise<Authorized> {
    const time = Date.now() + this.#offset;
    const date = new Date(time).toUTCString();
    // As the platform sends it.
    const { pathname } = new URL(url);
    const sign = await this.#sign;
    const signature = await sign(`${date}\n/${this.#account}${pathname}`);
    const authorization = `SharedKeyLite ${this.#account}:${signature}`;
    return { url, headers: { 'x-ms-date': date, Authorization: authorization }, used: time };
  }

  renew(used: string | number, { headers }: FailedAnswer): Promise<boolean> {
    const date = Date.parse(headers.get('Date') ?? '');
    return Promise.resolve(Math.abs(date - Number(used)) > MAX_SKEW_MS);
  }

  readonly setClock = (date: string | null): void => {
    const time = Date.parse(date ?? '');
    if (!Number.isNaN(time)) this.#offset = time - Date.now();
  };
}
