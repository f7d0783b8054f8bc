// worker.js - carries out one command at a time.

import { carryOut } from './commands.js';

globalThis.onmessage = async ({ data }) => {
  try {
    postMessage({ result: await carryOut(data) });
  } catch (error) {
    postMessage({ error: String(error?.stack ?? error) });
  }
};
