/**
 * The Durable Object of the catalogue of an account that is spread over several objects.
 *
 * @module
 */

import { storageError } from '../base/errors.js';
import type { AccountHandler } from './account-object.js';
import type { TableObjectContext } from './models.js';
import { baseUrlOf } from './routes.js';
import { ShardCatalogue } from './shards/catalogue.js';
import { otherShards } from './shards/open.js';
import type { RecordStore } from './shards/records.js';
import type { Backend } from './shards/router.js';
import { signedBackend } from './shards/signed.js';

interface CatalogueSetting {
  readonly accountIn: 'path' | 'host';
  readonly keysOf: ((account: string) => Promise<readonly string[] | undefined>) | undefined;
  readonly shardsOf: (account: string) => readonly Backend[];
  readonly ofClients: AccountHandler;
  readonly own: AccountHandler;
}

/** Returns the handler of requests of routers. */
export function catalogueObject(
  { storage }: TableObjectContext,
  { accountIn, keysOf, shardsOf, ofClients, own }: CatalogueSetting,
): AccountHandler {
  let catalogue: ShardCatalogue | undefined;
  return (request, name) => {
    // One for the life of the object, because it lets changes of a table wait for each other.
    catalogue ??= new ShardCatalogue({
      clients: (one) => ofClients(one, name),
      own: (one) => own(one, name),
      shards: shardsOf(name).map((shard) =>
        signedBackend(shard, name, async () => (await keysOf?.(name))?.[0]),
      ),
      records: recordsIn(storage),
      baseUrl: baseUrlOf(request.url, accountIn, name),
    });
    return catalogue.answer(request);
  };
}

/**
 * Checks that the object is no catalogue: a catalogue must get no entities.
 *
 * @throws {@link TableError} `StorageUnavailable`
 */
export async function checkPlain({ storage }: TableObjectContext): Promise<void> {
  const text = await recordsIn(storage).read();
  if (text === undefined) return;
  const { shards } = JSON.parse(text) as { shards: number };
  throw otherShards(`The account has ${shards} shards, not 1.`);
}

// A key that the store of the account does not use.
const RECORDS = 'entitable-shards';

function recordsIn(storage: TableObjectContext['storage']): RecordStore {
  return {
    async read() {
      const values = await storage.get([RECORDS]).catch((cause: unknown) => {
        throw storageError(cause);
      });
      return values.get(RECORDS) as string | undefined;
    },
    write: (text) => storage.put({ [RECORDS]: text }),
  };
}
