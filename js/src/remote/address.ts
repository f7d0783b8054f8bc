/**
 * Addresses of accounts, tables and entities.
 *
 * Source: operations of the spec, 2.2.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isUrl } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import type { EntityKeys } from '../entity/keys.js';

/** Where an account is. */
export interface Address {
  /** Without a query, and without a slash at the end. */
  readonly base: string;
  /** The name that the address has for the account. */
  readonly account: string;
  /** The query, which is a shared access signature; may be empty. */
  readonly query: string;
  /** Whether nobody can read along: it is `https:`, or an address of this machine. */
  readonly isPrivate: boolean;
}

const LOCAL_HOSTS = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @throws {@link TableError} `InvalidInput`, if it is no address of the web. */
export function addressOf(url: unknown): Address {
  let parsed: URL;
  try {
    parsed = new URL(isUrl(url) ? url.href : (url as string));
  } catch (cause) {
    // The cause may show the query, which is a secret.
    void cause;
    throw noAddress(url);
  }
  const { protocol, hostname, origin, pathname, search } = parsed;
  if (!/^https?:$/.test(protocol)) throw noAddress(url);
  const path = pathname.replace(/\/+$/, '');
  return {
    base: origin + path,
    account: path.split('/')[1] ?? hostname.split('.')[0]!,
    query: search,
    isPrivate: protocol === 'https:' || LOCAL_HOSTS.test(hostname),
  };
}

function noAddress(url: unknown): Error {
  const what = typeof url === 'string' ? shown(url.split('?')[0]) : shown(url);
  return invalidInput(`The option url of remoteAccount must be an address, not ${what}.`);
}

/** The path of one entity. */
export function entityPath(table: string, { partitionKey, rowKey }: EntityKeys): string {
  return `${tablePath(table)}(PartitionKey=${quoted(partitionKey)},RowKey=${quoted(rowKey)})`;
}

/** The path of a table that is to be deleted. */
export const tableItemPath = (table: string): string => `/Tables(${quoted(table)})`;

/**
 * The path of the entities of a table.
 *
 * @throws {@link TableError} `InvalidInput`, if it would not be the path of a table.
 */
export function tablePath(table: string): string {
  // A browser removes such a part from an address.
  if (/^\.{0,2}$/.test(table)) throw invalidInput(`No table has the name ${shown(table)}.`);
  return `/${encoded(table)}`;
}

/** One option of a query, for the end of an address. */
export const parameter = (name: string, value: string): string => `${name}=${encoded(value)}`;

const quoted = (text: string) => `'${encoded(text.replaceAll("'", "''"))}'`;

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw invalidInput(`An address cannot have ${shown(text)}, which is not well-formed text.`);
  }
}
