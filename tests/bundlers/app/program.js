import { openAccount } from 'entitable';
import { createTableHandler } from 'entitable/http';
import { verify } from 'entitable/recovery';
import { indexedDbStorage } from 'entitable/storage/indexeddb';
import { memoryStorage } from 'entitable/storage/memory';

/** Uses each WebAssembly module of the package, and a script that is loaded later. */
export async function usePackage(
  storage = globalThis.indexedDB ? indexedDbStorage('pets') : memoryStorage(),
) {
  const account = await openAccount({ storage });
  const pets = account.tableClient('Pets');
  await pets.createTable();
  await pets.importEntities([{ partitionKey: 'dogs', rowKey: 'rex', name: 'Rex' }]);
  const { name } = await pets.getEntity('dogs', 'rex');
  await account.close();

  const findings = await verify(storage);

  const served = await openAccount({ storage: memoryStorage() });
  const handler = createTableHandler(served, { authentication: 'anonymous' });
  const { status } = await handler(new Request('http://127.0.0.1:10002/devstoreaccount1/Tables'));
  return `${name}, ${findings.length} findings, status ${status}`;
}
