/**
 * Under which names a server answers.
 *
 * A page of any site may have its own name resolved to 127.0.0.1, and is then of the same origin as
 * a server there. It still sends its name as `Host`, so a server for this machine alone answers to
 * none that it does not know.
 *
 * @module
 */

/** Whether the server answers a request with this `Host`, and to this absolute address, if any. */
export type HostCheck = (host: string) => boolean;

/** Whether only this machine can reach an address that a server listens at. */
export function isLoopback(address: string): boolean {
  const name = address.toLowerCase();
  return name === 'localhost' || name === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(name);
}

/**
 * Of a server that listens at `address`.
 *
 * @param allowed - further names, in any case, without a port.
 * @returns undefined, if it answers to every name: because others may reach it anyway.
 */
export function hostCheckFor(address: string, allowed: readonly string[]): HostCheck | undefined {
  if (!isLoopback(address) && allowed.length === 0) return undefined;
  const names = new Set([address, ...allowed].map((name) => name.toLowerCase()));
  return (host) => {
    const name = nameOf(host);
    // Browsers resolve such names themselves, always to this machine.
    const isOfThisMachine = isLoopback(name) || name.endsWith('.localhost');
    return isOfThisMachine || names.has(name);
  };
}

// Without the port, and of an address of version 6 without its brackets.
function nameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1];
  return (bracketed ?? host.replace(/:\d*$/, '')).toLowerCase().replace(/\.$/, '');
}
