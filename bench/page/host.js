// host.js - carries out the commands of run.mjs in the page, or in a dedicated worker.

import { carryOut } from './commands.js';
import { measureFrameGap } from './frames.js';

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

// The memory of the page and, in Chromium, of its dedicated workers; undefined if it is unknown.
async function memoryBytes() {
  globalThis.gc?.();
  if (!crossOriginIsolated || !performance.measureUserAgentSpecificMemory) return undefined;
  return (await performance.measureUserAgentSpecificMemory()).bytes;
}

globalThis.bench = {
  async carryOut(command) {
    const start = performance.now();
    const result = await (command.worker ? inWorker(command) : carryOut(command));
    // The time includes the start of the worker and the load of its code.
    return { ...result, wholeMs: performance.now() - start };
  },
  /** The same, and the longest time between two frames of this page. */
  async measureGap(command) {
    const { longestGapMs, result } = await measureFrameGap(() => this.carryOut(command));
    return { ...result, longestGapMs };
  },
  memoryBytes,
};
