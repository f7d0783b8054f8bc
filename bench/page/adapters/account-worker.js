// account-worker.js - the script of the worker that holds the account. esbuild does not make it for
// `worker: true`, so the app does.

import { serveAccounts } from '../../../dist/worker.js';

serveAccounts();
