// `account.js` is an example of the guide; the test chooses which.
import { opened } from './account.js';

async function use() {
  const account = await opened;
  const pets = account.tableClient('Pets');
  await pets.createTable();
  await pets.importEntities([{ partitionKey: 'dogs', rowKey: 'rex', name: 'Rex' }]);
  const { name } = await pets.getEntity('dogs', 'rex');
  const [{ rule }] = account.validator.validateKey('a/b');
  await account.close();
  return `${name}, ${rule}, in the ${account.isInWorker ? 'worker' : 'page'}`;
}

// The title is what the test waits for.
use().then(
  (result) => (document.title = result),
  (error) => (document.title = `${error}`),
);
