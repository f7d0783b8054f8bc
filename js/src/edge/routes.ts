/**
 * Finds the account of a request.
 *
 * @module
 */

// The secondary address of an account is that of the same data.
const ACCOUNT = /^([a-z0-9]{3,24})(?:-secondary)?$/;

/** The account in an address; undefined, if it names none. */
export function accountOf(url: string, place: 'path' | 'host'): string | undefined {
  const { pathname, hostname } = new URL(url);
  const name = place === 'path' ? pathname.split('/')[1] : hostname.split('.')[0];
  return ACCOUNT.exec(name ?? '')?.[1];
}

/** The address of the account in an address, without a slash at the end. */
export function baseUrlOf(url: string, place: 'path' | 'host', account: string): string {
  const { origin } = new URL(url);
  return place === 'path' ? `${origin}/${account}` : origin;
}
