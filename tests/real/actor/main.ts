// main.ts - runs in a tab, a worker or a service worker, and carries out commands.

import { COMMANDS } from './commands.js';
import { listen } from './socket.js';

listen(COMMANDS as unknown as Record<string, (...parameters: unknown[]) => unknown>);
