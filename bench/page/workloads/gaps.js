// gaps.js - work during which the page counts the time between frames. Preparations, such as making
// entities, are separate commands, so that they do not count.

import { eachEntity } from '../dataset.js';

// Short work is done again and again for this time.
const AGAIN_MS = 1000;

let made;

/** Makes a new store, and the entities for it. */
export async function prepareLoad(adapter, { count, values }) {
  made = Array.from(eachEntity(count, values), adapter.toOwn);
  await adapter.open({ isFresh: true });
  globalThis.gc?.();
}

export async function loadPrepared(adapter) {
  await adapter.load(made);
  made = undefined;
}

/** Reads all entities, as objects. */
export async function readAll(adapter, { count }) {
  await again(async () => {
    let seen = 0;
    await adapter.each(() => seen++);
    if (seen !== count) throw new Error(`${seen} entities were read`);
  });
}

export async function countAgain(adapter) {
  await again(() => adapter.count());
}

// Each call is in a task of its own, so a frame can come between two.
async function again(work) {
  const start = performance.now();
  do {
    await work();
    await new Promise((resolve) => setTimeout(resolve));
  } while (performance.now() - start < AGAIN_MS);
}
