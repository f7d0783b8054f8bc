// account-worker.js - the script of the worker that has the account. With esbuild, an app makes it
// itself.

import { serveAccounts } from '../../../dist/worker.js';

serveAccounts();
