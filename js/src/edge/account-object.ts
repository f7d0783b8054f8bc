/**
 * The account of a Durable Object.
 *
 * @module
 */

import { isTableError } from '../base/errors.js';
import { MODULE, openWith } from '../client/shared.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import type { EntryModule } from '../core/load-module.js';
import { createRawTableHandler, type RawTableHandler } from '../http/raw-handler.js';
import { incomingOf } from '../http/web.js';
import { durableObjectStorage } from '../storage/durable-object.js';
import { edgeResponse, unopened } from './answers.js';
import type { TableObjectContext, TableWorkerOptions } from './models.js';
import { accountOf, baseUrlOf } from './routes.js';
import { catalogueObject, checkPlain, shardObject, type AccountHandler } from './sharded-object.js';
import { CATALOGUE_HEADER, type Backend } from './shards/protocol.js';

/** The options of an object. */
export interface ObjectSetting extends Pick<
  TableWorkerOptions,
  'wasm' | 'cors' | 'cacheBytes' | 'maxMemoryBytes'
> {
  readonly accountIn: 'path' | 'host';
  /** The keys of the account; undefined, if requests need no signature. */
  readonly keysOf: ((account: string) => Promise<readonly string[] | undefined>) | undefined;
  /** The objects of so many shards of an account; undefined, if each account is in one object. */
  readonly shardsOf: ((account: string, shards: number) => readonly Backend[]) | undefined;
}

// The option `wasm` is always given, so nothing is loaded from an address.
const MODULE_OF_WORKER: EntryModule = { kind: MODULE, source: () => 'entitable.wasm' };

/** Returns the handler of an object. It opens the account with the first request. */
export function accountHandler(
  context: TableObjectContext,
  setting: ObjectSetting,
): (request: Request) => Promise<Response> {
  const { accountIn, shardsOf } = setting;
  const { open, erase } = openerOf(context, setting);
  const ofClients = clientHandler(open, setting);

  // Requests of the catalogue to its own account.
  const own: AccountHandler = async (request, name) => {
    const incoming = incomingOf(request);
    const account = await open(request.url, name);
    const handle = createRawTableHandler(account, { authentication: 'anonymous' }, HOST);
    return edgeResponse(incoming, await handle(incoming));
  };
  const catalogue = shardsOf && catalogueObject(context, { ...setting, shardsOf, ofClients, own });
  const ofEntities = shardsOf ? shardObject(context, ofClients, erase) : ofClients;
  let isPlain = false;

  return async (request) => {
    const name = accountOf(request.url, accountIn)!;
    const isForCatalogue = request.headers.has(CATALOGUE_HEADER);
    const { method, headers } = request;
    try {
      if (isForCatalogue && catalogue) {
        isPlain = false;
        return await catalogue(request, name);
      }
      // A Worker of an earlier deployment may still take a catalogue for the whole account.
      if (!isPlain) await checkPlain(context);
      isPlain = true;
      return await ofEntities(request, name);
    } catch (error) {
      if (!isTableError(error)) throw error;
      return unopened({ method, headers }, error);
    }
  };
}

type Open = (url: string, name: string) => Promise<TableServiceClient>;

interface Opener {
  readonly open: Open;
  /** Closes the account, and deletes everything in the storage of the object. */
  readonly erase: () => Promise<void>;
}

/** The handler of requests that clients have signed. */
function clientHandler(open: Open, { keysOf, cors }: ObjectSetting): AccountHandler {
  let current:
    { account: TableServiceClient; signers: string; handle: RawTableHandler } | undefined;

  // The keys may have changed since the last request.
  async function handlerFor(name: string, account: TableServiceClient): Promise<RawTableHandler> {
    const keys = await keysOf?.(name);
    const signers = keys?.join() ?? '';
    if (current?.account !== account || current.signers !== signers) {
      const authentication = keysOf ? { account: name, keys: keys ?? [] } : 'anonymous';
      const handle = createRawTableHandler(account, { authentication, cors }, HOST);
      current = { account, signers, handle };
    }
    return current.handle;
  }

  return async (request, name) => {
    // The platform overwrites this header, so a client cannot forge it.
    const address = request.headers.get('CF-Connecting-IP') ?? undefined;
    const incoming = incomingOf(request, address);
    const handle = await handlerFor(name, await open(request.url, name));
    return edgeResponse(incoming, await handle(incoming));
  };
}

const HOST = { isPatient: false, reopens: true };

/**
 * Opens the account once, and again after it could not be opened, or after its module has aborted.
 *
 * All requests share one opening, and the platform delivers no event to the object until it has
 * ended. So there is never a second account on the storage.
 */
function openerOf(context: TableObjectContext, setting: ObjectSetting): Opener {
  const { wasm, cacheBytes, maxMemoryBytes, accountIn } = setting;
  let opened: Promise<TableServiceClient> | undefined;

  async function open(url: string, name: string): Promise<TableServiceClient> {
    const account = await openWith(MODULE_OF_WORKER, {
      ...{ wasm, cacheBytes, maxMemoryBytes, name },
      storage: durableObjectStorage(context.storage),
      baseUrl: baseUrlOf(url, accountIn, name),
    });
    account.session.onAbort(() => (opened = undefined));
    return account;
  }

  async function erase(): Promise<void> {
    const account = await opened?.catch(() => undefined);
    opened = undefined;
    await account?.close();
    await context.storage.deleteAll();
  }

  const openOnce: Open = (url, name) =>
    (opened ??= context
      // An error in there would end the object, and the client would not learn the reason.
      .blockConcurrencyWhile(() =>
        open(url, name).then(
          (account) => ({ account }),
          (error: unknown) => ({ error }),
        ),
      )
      .then((result) => {
        if ('account' in result) return result.account;
        opened = undefined;
        throw result.error;
      }));
  return { open: openOnce, erase };
}
