/**
 * The Durable Objects of an account that is spread over several: its catalogue, and its shards.
 *
 * @module
 */

import { storageError } from '../base/errors.js';
import { authenticatorFor } from '../http/auth/authenticate.js';
import { incomingOf } from '../http/web.js';
import { refused } from './answers.js';
import type { TableObjectContext } from './models.js';
import { baseUrlOf } from './routes.js';
import { ShardCatalogue } from './shards/catalogue.js';
import { ShardGate } from './shards/gate.js';
import { otherShards } from './shards/open.js';
import { isReshardTask, type Backend } from './shards/protocol.js';
import type { RecordStore } from './shards/records.js';
import { signedBackend } from './shards/signed.js';

/** Handles the requests of an account by its name. */
export type AccountHandler = (request: Request, name: string) => Promise<Response>;

interface CatalogueSetting {
  readonly accountIn: 'path' | 'host';
  readonly keysOf: ((account: string) => Promise<readonly string[] | undefined>) | undefined;
  readonly shardsOf: (account: string, shards: number) => readonly Backend[];
  readonly ofClients: AccountHandler;
  readonly own: AccountHandler;
}

/** Returns the handler of requests of routers. */
export function catalogueObject(
  { storage }: TableObjectContext,
  { accountIn, keysOf, shardsOf, ofClients, own }: CatalogueSetting,
): AccountHandler {
  let catalogue: ShardCatalogue | undefined;
  return async (request, name) => {
    const refusal = await refusalOf(request, name, keysOf);
    if (refusal) return refusal;
    // One for the life of the object, because it lets changes of a table wait for each other.
    catalogue ??= new ShardCatalogue({
      clients: (one) => ofClients(one, name),
      own: (one) => own(one, name),
      shardsOf: (shards) =>
        shardsOf(name, shards).map((shard) =>
          signedBackend(shard, name, async () => (await keysOf?.(name))?.[0]),
        ),
      canReshard: true,
      records: recordsIn(storage, RECORDS),
      baseUrl: baseUrlOf(request.url, accountIn, name),
    });
    return catalogue.answer(request);
  };
}

// All other requests reach the account of the catalogue, which checks signatures. This one needs a
// key of the account.
async function refusalOf(
  request: Request,
  account: string,
  keysOf: CatalogueSetting['keysOf'],
): Promise<Response | undefined> {
  if (!keysOf || !isReshardTask(request)) return undefined;
  const keys = (await keysOf(account)) ?? [];
  const authenticate = authenticatorFor({ account, keys }, () => Promise.resolve(undefined));
  const { method, target, headers, origin } = incomingOf(request);
  const isSigned = (await authenticate({ method, target, headers, origin })) === undefined;
  return isSigned ? undefined : refused(request, 'AuthenticationFailed');
}

/**
 * Returns the handler of requests to a shard.
 *
 * @param erase - deletes everything in the storage.
 */
export function shardObject(
  { storage }: TableObjectContext,
  ofClients: AccountHandler,
  erase: () => Promise<void>,
): AccountHandler {
  const gate = new ShardGate(recordsIn(storage, GATE), erase);
  return (request, name) => gate.answer(request, (one) => ofClients(one, name));
}

/**
 * Checks that the object is no catalogue: a catalogue must get no entities.
 *
 * @throws {@link TableError} `StorageUnavailable`
 */
export async function checkPlain({ storage }: TableObjectContext): Promise<void> {
  const text = await recordsIn(storage, RECORDS).read();
  if (text === undefined) return;
  const { shards } = JSON.parse(text) as { shards: number };
  throw otherShards(`The account has ${shards} shards: the Worker needs the option shards.`);
}

// Keys that the store of the account does not use.
const RECORDS = 'entitable-shards';
const GATE = 'entitable-gate';

function recordsIn(storage: TableObjectContext['storage'], key: string): RecordStore {
  return {
    async read() {
      const values = await storage.get([key]).catch((cause: unknown) => {
        throw storageError(cause);
      });
      return values.get(key) as string | undefined;
    },
    write: (text) => storage.put({ [key]: text }),
  };
}
