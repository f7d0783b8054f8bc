// host.js - carries out the commands of run.mjs in the page, or in a dedicated worker.

import { carryOut } from './commands.js';

let worker;

function inWorker(command) {
  worker ??= new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) =>
      data.error === undefined ? resolve(data.result) : reject(new Error(data.error));
    worker.onerror = ({ message }) => reject(new Error(`worker: ${message}`));
    worker.postMessage(command);
  });
}

// Of the page and, in Chromium, its dedicated workers; undefined where it cannot be told.
async function memoryBytes() {
  globalThis.gc?.();
  if (!crossOriginIsolated || !performance.measureUserAgentSpecificMemory) return undefined;
  return (await performance.measureUserAgentSpecificMemory()).bytes;
}

globalThis.bench = {
  async carryOut(command) {
    const start = performance.now();
    const result = await (command.worker ? inWorker(command) : carryOut(command));
    // With the start of the worker and the loading of its code.
    return { ...result, wholeMs: performance.now() - start };
  },
  memoryBytes,
};
