// worker.ts - the script of a worker that an app makes.

import { serveAccounts } from '../../../../js/src/worker.js';

serveAccounts();
