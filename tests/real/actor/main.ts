// main.ts - runs in a tab, a worker or a service worker, and does what it is ordered to.

import { COMMANDS } from './commands.js';
import { listen } from './line.js';

listen(COMMANDS as unknown as Record<string, (...parameters: unknown[]) => unknown>);
