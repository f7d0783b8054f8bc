// sharded.ts - the way of requests to an account that is spread over several.

import type { TableServiceClient } from '../../../../js/src/client/table-service-client.js';
import type { AccountSession } from '../../../../js/src/core/account-session.js';
import type { CoreModule } from '../../../../js/src/core/module.js';
import { Session } from '../../../../js/src/core/session.js';
import { createShardCatalogue, createShardRouter } from '../../../../js/src/edge.js';
import { createTableHandler, type TableHandler } from '../../../../js/src/http.js';
import { memoryStorage } from '../../../../js/src/storage/memory.js';
import { isWhole } from '../../../../scripts/test/tier.mjs';
import { loadPageModule } from '../modules.js';
import { textRecords } from '../shards.js';
import type { PlainRequest, Transport } from './case-run.js';
import { signedRequest, SIGNED } from './signer.js';

// Two are enough for each case to be routed.
const SHARDS = isWhole() ? 4 : 2;

// The handlers use only the session of an account.
const clientOf = (session: AccountSession) => ({ session }) as TableServiceClient;

/**
 * The requests of a case, in the form of `fetch`, to an account over several. The session of the
 * case is that of the catalogue.
 *
 * @param like - whose account, keys and signatures it has.
 */
export function shardedTransport(
  wasm: WebAssembly.Module,
  like: Pick<Transport, 'account' | 'baseUrl'> = SIGNED,
  authentication: Parameters<typeof createTableHandler>[1]['authentication'] = 'anonymous',
): Transport {
  const { account, baseUrl } = like;
  const storages = Array.from({ length: SHARDS }, () => memoryStorage());
  const records = textRecords();
  let sessions: Session[] = [];

  async function routerOver(catalogue: AccountSession): Promise<TableHandler> {
    const module = await instanceOf(wasm);
    sessions = storages.map((storage) => new Session(module, { account, baseUrl, storage }));
    const shards = sessions.map((session) =>
      createTableHandler(clientOf(session), { authentication }),
    );
    return createShardRouter({
      wasm,
      baseUrl,
      shards,
      catalogue: createShardCatalogue(clientOf(catalogue), {
        ...{ authentication, shards, baseUrl, records },
      }),
    });
  }

  return {
    account,
    baseUrl,
    handlerFor(session) {
      let opening: Promise<TableHandler> | undefined;
      return async (plain, sign) => {
        const request = authentication === 'anonymous' ? plain : await signedRequest(plain, sign);
        const router = await (opening ??= routerOver(session));
        const response = await router(fetchRequest(baseUrl, request));
        const body = new Uint8Array(await response.arrayBuffer());
        return { status: response.status, headers: [...response.headers], body };
      };
    },
    async close() {
      for (const session of sessions) await session.close();
    },
  };
}

// The shards of all cases, which take longer to make than the answers of a case.
const instances = new WeakMap<WebAssembly.Module, Promise<CoreModule>>();

function instanceOf(wasm: WebAssembly.Module): Promise<CoreModule> {
  const instance = instances.get(wasm) ?? loadPageModule(wasm);
  instances.set(wasm, instance);
  return instance;
}

function fetchRequest(baseUrl: string, { method, target, headers, body }: PlainRequest): Request {
  const pairs = headers.map(([name, value]): [string, string] => [name, value]);
  return new Request(baseUrl + target, {
    method,
    headers: pairs,
    body: (body as Uint8Array<ArrayBuffer> | undefined) ?? null,
  });
}
