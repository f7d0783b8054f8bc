import { tableWorker } from 'entitable/edge';
import wasm from 'entitable/entitable.wasm';
import { generateTableSas } from 'entitable/http';
import { remoteAccount } from 'entitable/remote';

// Tables behind the REST API of the service, each account in a Durable Object.
const { TableObject, worker } = tableWorker({ wasm });
export { TableObject };

export default {
  fetch(request, env) {
    const { origin, pathname } = new URL(request.url);
    if (pathname === '/signature') return signatureFor(origin, env);
    return worker.fetch(request, env);
  },
};

/** Lets a visitor read and add messages for an hour, but neither change nor delete any. */
async function signatureFor(origin, env) {
  const [account, key] = env.ENTITABLE_ACCOUNTS.split(':');
  await createTable(`${origin}/${account}`, key, env);
  const expiresOn = new Date(Date.now() + 3_600_000);
  const rights = { table: 'Messages', permissions: 'ra', expiresOn };
  return new Response(await generateTableSas({ account, key, ...rights }));
}

let created;

async function createTable(url, key, env) {
  const fetch = (address, request) => worker.fetch(new Request(address, request), env);
  created ??= remoteAccount({ url, key, fetch }).createTable('Messages');
  await created;
}
