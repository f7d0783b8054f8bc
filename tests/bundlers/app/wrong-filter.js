import { openAccount } from 'entitable';
import { memoryStorage } from 'entitable/storage/memory';

async function useWrongFilter() {
  const account = await openAccount({
    storage: memoryStorage(),
    // The title is what the test waits for.
    developmentWarnings: ({ code }) => (document.title = code),
  });
  const pets = account.tableClient('Pets');
  await pets.createTable();
  await pets.createEntity({ partitionKey: 'dogs', rowKey: 'rex' });
  await pets.countEntities({ filter: "rowKey eq 'rex'" });
}

useWrongFilter().catch((error) => (document.title = `${error}`));
