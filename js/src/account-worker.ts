/**
 * The script of the worker that `openAccount({ worker: true })` starts.
 *
 * @module
 */

import { serveAccounts } from './worker.js';

serveAccounts();
