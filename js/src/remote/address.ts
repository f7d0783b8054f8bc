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
  /** The name that the address has for the account, if it has one. */
  readonly account: string | undefined;
  /** The query, which is a shared access signature; may be empty. */
  readonly query: string;
  /** Whether nobody can read along: it is `https:`, or an address of this machine. */
  readonly isPrivate: boolean;
}

const LOCAL_HOSTS = /^(localhost|127(\.\d+){3}|\[::1\])$/;
// Hosts that are not named after an account.
const NAMELESS_HOSTS = /^[^.]*$|^[\d.]+$/;

/** @throws {@link TableError} `InvalidInput`, if it is no address of the web. */
export function addressOf(url: unknown): Address {
  let parsed: URL;
  try {
    parsed = new URL(isUrl(url) ? url.href : (url as string));
  } catch {
    throw noAddress(url);
  }
  const { protocol, hostname, origin, pathname, search, username, password, hash } = parsed;
  // No request has a user, a password or a fragment.
  if (!/^https?:$/.test(protocol) || username || password || hash) throw noAddress(url);
  const path = pathname.replace(/\/+$/, '');
  return {
    base: origin + path,
    account: path ? primary(path.split('/')[1]!) : accountOfHost(hostname),
    query: search,
    isPrivate: protocol === 'https:' || LOCAL_HOSTS.test(hostname),
  };
}

function accountOfHost(hostname: string): string | undefined {
  if (NAMELESS_HOSTS.test(hostname)) return undefined;
  const name = hostname.split('.')[0]!;
  // A name in Cosmos DB may end like this itself.
  return hostname.includes('.cosmos.') ? name : primary(name);
}

// A second, read-only address of an account has the account's name and this.
const primary = (name: string) => name.replace(/-secondary$/, '');

// A text may be anything, also a connection string with a key.
function noAddress(url: unknown): Error {
  const what = typeof url === 'string' ? 'another text' : shown(url);
  const example = 'such as https://contoso.table.core.windows.net';
  return invalidInput(
    `The option url of remoteAccount must be an address, ${example}, not ${what}.`,
  );
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
  // A browser removes such a part from an address; behind a name, parentheses hold keys.
  if (/^\.{0,2}$|[()]/.test(table)) throw invalidInput(`No table has the name ${shown(table)}.`);
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
