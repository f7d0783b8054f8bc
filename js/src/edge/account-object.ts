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

/** The options of an object. */
export interface ObjectSetting extends Pick<
  TableWorkerOptions,
  'wasm' | 'cors' | 'cacheBytes' | 'maxMemoryBytes'
> {
  readonly accountIn: 'path' | 'host';
  /** The keys of the account; undefined, if requests need no signature. */
  readonly keysOf: ((account: string) => Promise<readonly string[] | undefined>) | undefined;
}

// The option `wasm` is always given, so nothing is loaded from an address.
const MODULE_OF_WORKER: EntryModule = { kind: MODULE, source: () => 'entitable.wasm' };

/** Returns the handler of an object. It opens the account with the first request. */
export function accountHandler(
  context: TableObjectContext,
  setting: ObjectSetting,
): (request: Request) => Promise<Response> {
  const { keysOf, cors } = setting;
  const open = openerOf(context, setting);
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

  return async (request) => {
    const name = accountOf(request.url, setting.accountIn)!;
    try {
      const handle = await handlerFor(name, await open(request.url, name));
      // The platform overwrites this header, so a client cannot forge it.
      const address = request.headers.get('CF-Connecting-IP') ?? undefined;
      return edgeResponse(request, await handle(incomingOf(request, address)));
    } catch (error) {
      if (!isTableError(error)) throw error;
      return unopened(request, error);
    }
  };
}

const HOST = { isPatient: false, reopens: true };

/**
 * Opens the account once, and again after it could not be opened, or after its module has aborted.
 *
 * All requests share one opening, and the platform delivers no event to the object until it has
 * ended. So there is never a second account on the storage.
 */
function openerOf(context: TableObjectContext, setting: ObjectSetting) {
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

  return (url: string, name: string): Promise<TableServiceClient> =>
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
}
