/**
 * Keeps shared access signatures out of errors. They are a part of addresses, which some platforms
 * and proxies show.
 *
 * @module
 */

import { isObject } from '../base/kinds.js';

// The query of an address; also what follows a signature, if a text has only a part of the address.
const QUERY = /\?[^\s"'<>]*=[^\s"'<>]*|\bsig=[^\s"'<>]*/i;

/** Returns a text without the queries of addresses. */
export const withoutQueries = (text: string): string => text.replace(new RegExp(QUERY, 'gi'), '…');

/**
 * Returns a text without a credential: the signature of a shared access signature, or a token. A
 * server may show it as it is in an address, or in other forms.
 */
export function withoutCredential(text: string, credential: string): string {
  const secret = /\bsig=([^&]*)/.exec(credential)?.[1] ?? credential;
  let plain = secret;
  try {
    plain = decodeURIComponent(secret);
  } catch {
    // It is in no other form.
  }
  const forms = [secret, plain].flatMap((form) => [encodeURIComponent(form), form]);
  return forms.reduce((left, form) => left.replaceAll(form, '…'), text);
}

/** Returns an error that shows no query of an address: itself, if it shows none. */
export function withoutSecrets(error: unknown): unknown {
  if (!shows(error, MAX_DEPTH)) return error;
  const { name, message } = Object(error) as Partial<Error>;
  const copy = new Error(withoutQueries(message ?? String(error)));
  if (name) copy.name = name;
  return copy;
}

// Causes have causes.
const MAX_DEPTH = 4;

function shows(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return QUERY.test(value);
  if (!isObject(value) || depth === 0) return false;
  // A stack shows no more than the message, and the addresses of scripts, which may have queries.
  const names = Object.getOwnPropertyNames(value).filter((name) => name !== 'stack');
  return ['message', ...names].some((name) => shows((value as never)[name], depth - 1));
}
