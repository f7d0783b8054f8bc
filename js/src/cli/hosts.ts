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
 * @returns undefined, if it answers to every name, because other machines may reach it anyway.
 */
export function hostCheckFor(address: string, allowed: readonly string[]): HostCheck | undefined {
  if (!isLoopback(address) && allowed.length === 0) return undefined;
  const names = new Set([address, ...allowed].map((name) => name.toLowerCase()));
  return (host) => {
    const name = nameOf(host);
    // Browsers resolve these names themselves, always to this machine.
    const isOfThisMachine = isLoopback(name) || name.endsWith('.localhost');
    return isOfThisMachine || names.has(name);
  };
}

// Without the port, and an address of version 6 without its brackets.
function nameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1];
  return (bracketed ?? host.replace(/:\d*$/, '')).toLowerCase().replace(/\.$/, '');
}
