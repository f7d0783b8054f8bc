/**
 * Serves accounts on a port, from the options to the end.
 *
 * @module
 */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { MaybeAsyncDisposable } from '../base/platform.js';
import { DEVELOPMENT_ACCOUNT } from '../http/development-account.js';
import { openAccounts, type ServedAccounts } from './accounts/served-accounts.js';
import { ExplorerPage } from './explorer-page.js';
import { accountInHostOf, hostCheckFor, isLoopback } from './http/hosts.js';
import { roomLimits } from './http/request-room.js';
import { closeServer, createTableServer, listenAt } from './http/server.js';
import { requestLine } from './log.js';
import { ServerMetrics } from './metrics.js';
import {
  checkedServer,
  type CheckedServer,
  type ServerAccount,
  type ServerOptions,
} from './server-options.js';

// A server stops within five seconds: this long it waits for requests, and then for the storage.
// Requests that do not end in time were not acknowledged.
const REQUESTS_MS = 4_000;
const STORAGE_MS = 750;

/** The address of an account. */
export interface AccountAddress {
  readonly name: string;
  /** Without a slash at the end. */
  readonly url: string;
  /** With the first key of the account. */
  readonly connectionString: string;
}

/** A server on a port. `await using` calls {@link TableServer.close}. */
export interface TableServer extends MaybeAsyncDisposable {
  /** The address of the first account, without a slash at the end. */
  readonly url: string;
  /** That of the first account, with its first key. */
  readonly connectionString: string;
  /** The addresses of all accounts, in the order of the option. */
  readonly accounts: readonly AccountAddress[];
  /**
   * Resolves to the reason when an account is lost: its module has aborted again and again. Then
   * its requests get no answer any more.
   */
  readonly lost: Promise<unknown>;
  /**
   * Waits for requests that have begun, and releases the storage; within five seconds. A second
   * call waits for the first.
   */
  close(): Promise<void>;
}

/**
 * Starts a server in this process, by the same code as the command `entitable serve`. It listens
 * when the promise resolves. It prints nothing. Several servers may run beside one another.
 *
 * @example
 * ```ts
 * const server = await startServer({ port: 0 });
 * process.env['TABLES'] = server.connectionString;
 * await server.close();
 * ```
 * @throws a `TypeError`, if an option is wrong; an `Error`, if the port or the certificate cannot
 * be used, with the error of Node as its cause; {@link TableError} `StorageUnavailable` or
 * `StorageDamaged`, if the folder cannot be used; an `Error`, if the folder was filled by another
 * number of accounts, or the file of the emulator cannot be imported.
 */
export async function startServer(options: ServerOptions = {}): Promise<TableServer> {
  const checked = checkedServer(options);
  const { host, port, onNotice, onWarning } = checked;
  let begin!: (served: ServedAccounts) => void;
  const begun = new Promise<ServedAccounts>((resolve) => (begin = resolve));
  const metrics = new ServerMetrics();
  const server = serverFor(checked, metrics, begun);
  // The accounts are opened later, because their addresses have the port.
  const onError = (error: Error) => onNotice(`The server goes on after an error: ${String(error)}`);
  await listenAt(server, port, host, onError).catch((cause: unknown) => {
    throw notListening(checked, cause);
  });
  const origin = originOf(server, checked);
  try {
    const served = await openAccounts(checked, origin, metrics.storage);
    begin(served);
    for (const warning of warningsOf(checked)) onWarning(warning);
    return running(
      server,
      served,
      checked.accounts.map((one) => addressOf(one, origin)),
    );
  } catch (error) {
    server.closeAllConnections();
    server.close();
    throw error;
  }
}

function serverFor(
  options: CheckedServer,
  metrics: ServerMetrics,
  begun: Promise<ServedAccounts>,
): Server {
  const { host, allowedHosts, certificate, maxMemoryBytes, onRequest } = options;
  const accountInHost = options.accountInHost ? accountInHostOf(options.accounts) : undefined;
  try {
    return createTableServer({
      handler: async (target, account) => (await begun).handler(target, account),
      accountInHost,
      health: async () => (await begun).health(),
      log: onRequest && ((request) => onRequest(requestLine(request), request)),
      metrics,
      explorer: options.explorer ? new ExplorerPage(options) : undefined,
      allowsHost: hostCheckFor(host, allowedHosts, accountInHost),
      limits: roomLimits(maxMemoryBytes),
      certificate,
    });
  } catch (cause) {
    throw new Error('the certificate cannot be used', { cause });
  }
}

function running(
  server: Server,
  served: ServedAccounts,
  accounts: readonly AccountAddress[],
): TableServer {
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeAll(server, served));
  const { url, connectionString } = accounts[0]!;
  const whole = { url, connectionString, accounts, lost: served.lost, close };
  // Some runtimes do not have the symbol.
  const { asyncDispose } = Symbol as { asyncDispose?: symbol };
  if (asyncDispose) Object.defineProperty(whole, asyncDispose, { value: close });
  return whole as TableServer;
}

async function closeAll(server: Server, served: ServedAccounts): Promise<void> {
  await closeServer(server, REQUESTS_MS);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, STORAGE_MS)));
  await Promise.race([served.close(), timeout]).finally(() => clearTimeout(timer));
}

function notListening({ host, port }: CheckedServer, cause: unknown): Error {
  const { code } = cause as NodeJS.ErrnoException;
  const remedy = REMEDIES[code ?? ''] ?? 'choose another address or port';
  return new Error(`the server cannot listen on port ${port} of ${host}: ${remedy}`, { cause });
}

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it; end that, or choose another port',
  EACCES: 'this needs more rights; choose another port',
  EADDRNOTAVAIL: 'this machine does not have the address; choose another one',
  ENOTFOUND: 'the name is not known; choose another address',
};

// Nobody can connect to the address that means all addresses of the machine.
const REACHABLE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

function originOf(server: Server, { host, certificate }: CheckedServer): string {
  const { address, port } = server.address() as AddressInfo;
  const name = REACHABLE[address] ?? host;
  const protocol = certificate ? 'https' : 'http';
  return `${protocol}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function addressOf({ name, keys }: ServerAccount, origin: string): AccountAddress {
  const url = `${origin}/${name}`;
  const protocol = origin.split(':', 1)[0];
  const connectionString = `DefaultEndpointsProtocol=${protocol};AccountName=${name};AccountKey=${keys[0]};TableEndpoint=${url};`;
  return { name, url, connectionString };
}

// For a server that other machines can reach.
function warningsOf({ host, accounts, authentication, oauth }: CheckedServer): string[] {
  if (isLoopback(host)) return [];
  const everybody = `every client that reaches ${host} can read and change all data`;
  if (authentication === 'anonymous') return [`${everybody}: requests need no signature`];
  const isPublic = accounts.some(({ keys }) => keys.includes(DEVELOPMENT_ACCOUNT.key));
  return [
    ...(isPublic
      ? [`${everybody} with the emulator's public key; give the account another key`]
      : []),
    ...(oauth
      ? [`${everybody} with a token of its own: signatures of tokens are not checked`]
      : []),
  ];
}
