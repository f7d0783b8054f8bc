/**
 * The host names that a server answers to.
 *
 * A page of any site may resolve its own name to 127.0.0.1, and then has the same origin as a
 * server there. It still sends its name as `Host`. So a server for this machine alone answers only
 * to names that it knows.
 *
 * @module
 */

/**
 * Whether the server answers a request with this `Host`, and with this absolute address, if it has
 * one.
 */
export type HostCheck = (host: string) => boolean;

/** Whether only this machine can reach a server at this address. */
export function isLoopback(address: string): boolean {
  const name = address.toLowerCase();
  return name === 'localhost' || name === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(name);
}

/**
 * The check of a server that listens at `address`.
 *
 * @param allowed - further names, in any case, without a port.
 * @param accountInHost - its names may also follow the account and `table`.
 * @returns undefined, if it answers to every name, because other machines may reach it anyway.
 */
export function hostCheckFor(
  address: string,
  allowed: readonly string[],
  accountInHost?: AccountInHost,
): HostCheck | undefined {
  if (!isLoopback(address) && allowed.length === 0) return undefined;
  const names = new Set([address, ...allowed].map((name) => name.toLowerCase()));
  return (host) => {
    const name = nameOf(host);
    // Browsers resolve these names themselves, always to this machine.
    const isOfThisMachine = isLoopback(name) || name.endsWith('.localhost');
    const behindAccount = accountInHost?.(host) && name.replace(ACCOUNT_IN_HOST, '');
    return isOfThisMachine || names.has(name) || names.has(behindAccount ?? '');
  };
}

/** The account that a `Host` names; undefined, if it names none. */
export type AccountInHost = (host: string) => string | undefined;

// As the service has it: the secondary address is that of the same data.
const ACCOUNT_IN_HOST = /^([a-z0-9]{3,24})(?:-secondary)?\.table\./;

/** Finds one of these accounts in a host. */
export function accountInHostOf(accounts: readonly { readonly name: string }[]): AccountInHost {
  const names = new Set(accounts.map(({ name }) => name));
  return (host) => {
    const [, name = ''] = ACCOUNT_IN_HOST.exec(host.toLowerCase()) ?? [];
    return names.has(name) ? name : undefined;
  };
}

// Without the port, and an address of version 6 without its brackets.
function nameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1];
  return (bracketed ?? host.replace(/:\d*$/, '')).toLowerCase().replace(/\.$/, '');
}
