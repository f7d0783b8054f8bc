/**
 * The accounts of a server, each with its path.
 *
 * @module
 */

import { createHmac } from 'node:crypto';

import { ERROR_CODES } from '../../base/error-codes.js';
import { openWith } from '../../client/open-account.js';
import { createRawTableHandler, type RawTableHandler } from '../../http.js';
import { tokenCheckFor } from '../../http/auth/tokens.js';
import { worstOf, type Health } from '../health.js';
import { SERVER_MODULE } from '../server-module.js';
import type { CheckedServer, ServerAccount } from '../server-options.js';
import type { StorageTally } from '../storage-tally.js';
import { importAzurite } from './import-azurite.js';
import { ServedAccount } from './served-account.js';
import { servedStorage, type ServedStorage } from './served-storage.js';
import { WatchedStorage } from './watched-storage.js';

/** Open accounts. */
export interface ServedAccounts {
  /**
   * The handler of the account that the host of a request names, or else its path. Where that names
   * none, it is that of the first account, which refuses the request. Rejects if the account is
   * lost.
   */
  handler(target: string, accountInHost?: string): Promise<RawTableHandler>;
  /** The worst health of the accounts. */
  health(): Promise<Health>;
  /** Resolves to the reason when an account is lost. */
  readonly lost: Promise<unknown>;
  /** Closes them, and releases their storage. */
  close(): Promise<void>;
}

/**
 * Opens the accounts, and imports the file of the emulator.
 *
 * @param origin - the address of the server, without a path.
 * @param tally - counts the calls to their storages.
 */
export async function openAccounts(
  given: CheckedServer,
  origin: string,
  tally: StorageTally,
): Promise<ServedAccounts> {
  const options = { ...given };
  const place = await servedStorage(options);
  const storage: ServedStorage = {
    make: (account) => tally.counted(place.make(account)),
    end: () => place.end(),
  };
  const served = new Map<string, Served>();
  let lose!: (reason: unknown) => void;
  const lost = new Promise<unknown>((resolve) => (lose = resolve));
  const close = async () => {
    await Promise.all([...served.values()].map(({ account }) => account.close()));
    await storage.end();
  };
  try {
    for (const account of options.accounts) {
      const parts = { account, url: `${origin}/${account.name}`, storage, onLost: lose };
      served.set(account.name, await openServed(options, parts));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const [first] = served.values();
  return {
    handler: (target, accountInHost = accountIn(target)) =>
      (served.get(accountInHost) ?? first!).account.handler(),
    health: async () => worstOf(await Promise.all([...served.values()].map((one) => one.health()))),
    lost,
    close,
  };
}

interface Served {
  readonly account: ServedAccount;
  health(): Promise<Health>;
}

interface Parts {
  readonly account: ServerAccount;
  readonly url: string;
  readonly storage: ServedStorage;
  readonly onLost: (reason: unknown) => void;
}

async function openServed(options: CheckedServer, parts: Parts): Promise<Served> {
  const { azuriteFile: file, maxMemoryBytes, onNotice, onWarning } = options;
  const {
    account: { name },
    url,
    storage,
    onLost,
  } = parts;
  let watch!: WatchedStorage;
  const open = async () => {
    watch = new WatchedStorage(storage.make(name), name, onWarning);
    const place = { storage: watch.storage, name, baseUrl: url, maxMemoryBytes };
    const opened = await openWith(SERVER_MODULE, place);
    watch.begin();
    return opened;
  };
  const account = await open();
  if (file !== undefined) {
    await importAzurite(account, { file, name, onNotice, onWarning }).catch((error: unknown) =>
      account.close().then(() => Promise.reject(error)),
    );
  }
  const handlerOptions = handlerOptionsOf(options, parts.account);
  const checkToken = options.oauth && tokenCheckFor(name);
  const served = new ServedAccount(account, {
    open,
    handlerFor: (opened) => {
      const host = { isPatient: true, reopens: true, checkToken };
      return watchedHandler(createRawTableHandler(opened, handlerOptions, host), watch);
    },
    onReopened: ({ cause }) => onNotice(`The account was opened again: ${String(cause)}`),
    onLost,
  });
  return { account: served, health: () => healthOf(served, watch) };
}

async function healthOf(served: ServedAccount, watch: WatchedStorage): Promise<Health> {
  const isOpen = await served.handler().then(
    () => true,
    () => false,
  );
  if (!(isOpen && (await watch.isGood()))) return 'unhealthy';
  return watch.takesWrites ? 'healthy' : 'writes fail';
}

// The account finds out that its store is another one. Nothing else has this status.
function watchedHandler(handler: RawTableHandler, watch: WatchedStorage): RawTableHandler {
  return async (request) => {
    const answer = await handler(request);
    if (answer.status === ERROR_CODES.StorageEvicted) watch.lose();
    return answer;
  };
}

function handlerOptionsOf(
  { authentication, postgres }: CheckedServer,
  { name, keys }: ServerAccount,
) {
  const isLoose = authentication === 'anonymous';
  return {
    authentication: isLoose ? ('anonymous' as const) : { account: name, keys, hmacSha256 },
    // Other processes may serve the same account.
    fresh: postgres !== undefined,
  };
}

const hmacSha256 = (key: Uint8Array, text: string) =>
  createHmac('sha256', key).update(text).digest('base64');

// The target may be an absolute address, and may name the secondary address of the account.
function accountIn(target: string): string {
  const path = target.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  const [, first = ''] = /^\/([^/?]*)/.exec(path) ?? [];
  return first.replace(/-secondary$/, '');
}
