// The account of the server, in the folder data/.

import { openAccount } from 'entitable';
import { createTableHandler } from 'entitable/http';
import { fileStorage } from 'entitable/storage/file';

import { tasks } from './tasks';

async function open() {
  const storage = fileStorage('data');
  // The name is the first part of the path of requests: see app/tables.
  const account = await openAccount({ storage, name: 'tables', tables: { tasks } });
  // Everybody may read and write here. In your app, pages have signatures: see the guide Sync.
  const handler = createTableHandler(account, { authentication: 'anonymous' });
  return { tables: account.tables, handler };
}

// Pages and routes have modules of their own, and share what is global.
const shared = globalThis as { opened?: ReturnType<typeof open> };

export const server = () => (shared.opened ??= open());
